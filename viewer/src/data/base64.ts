const VALUE = (() => {
  const table = new Uint8Array(256).fill(255);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (let i = 0; i < alphabet.length; ++i) table[alphabet.charCodeAt(i)] = i;
  return table;
})();

/** Straight into bytes: atob makes a string of a hundred megabytes first. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  let n = text.length;
  if (n % 4 !== 0) throw new Error(`base64 text of ${n} characters: not a multiple of four`);
  while (n > 0 && text.charCodeAt(n - 1) === 61) --n;
  if (text.length - n > 2) throw new Error("base64 text ends with too many '='");
  const out = new Uint8Array((n * 3) >> 2);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < n; ++i) {
    const code = text.charCodeAt(i);
    const value = code < 256 ? VALUE[code] : 255;
    if (value === 255) throw new Error(`base64 text has a foreign character at ${i}`);
    held = ((held << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out[at++] = (held >> bits) & 255;
    }
  }
  return out;
}
