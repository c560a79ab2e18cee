#include "stiction/schemes/options.h"

namespace stiction {

SchemeOptions preset(Scheme scheme) {
  SchemeOptions options;
  options.scheme = scheme;
  options.geometry = scheme == Scheme::stewart_trinkle ? GeometryAt::end : GeometryAt::predicted;
  return options;
}

std::string_view to_string(Scheme scheme) {
  return scheme == Scheme::stewart_trinkle ? "stewart_trinkle" : "anitescu_potra";
}

}  // namespace stiction
