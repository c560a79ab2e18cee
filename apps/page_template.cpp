#include "apps/page_template.h"

// The file as it is, by the assembler: a string literal of its size takes a compiler seconds.
asm(R"(
  .section .rodata
  .global stiction_page_begin
  .global stiction_page_end
stiction_page_begin:
  .incbin ")" STICTION_PAGE R"("
stiction_page_end:
  .byte 0
  .previous
)");

// NOLINTBEGIN(readability-identifier-naming): symbols of the assembler
extern "C" const char stiction_page_begin[];
extern "C" const char stiction_page_end[];
// NOLINTEND(readability-identifier-naming)

namespace stiction::apps {

std::string_view page_template() {
  return {stiction_page_begin, static_cast<std::size_t>(stiction_page_end - stiction_page_begin)};
}

}  // namespace stiction::apps
