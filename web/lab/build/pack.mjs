// Bytes as text in UTF-8, 8/7 characters per byte (base64 needs 4/3): seven bits in an ASCII character. Three characters
// cannot stand in a script element; each of these becomes, together with the seven bits that follow, one character of
// two bytes. The page (page.html) contains the same decoder.
export const ABSENT = [0, 13, 60]; // the zero byte, the carriage return, and <

function* sevens(bytes) {
  let bits = 0;
  let count = 0;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    count += 8;
    for (; count >= 7; count -= 7) yield (bits >> (count - 7)) & 127;
    bits &= 127;
  }
  if (count > 0) yield (bits << (7 - count)) & 127;
}

export function pack(bytes) {
  const codes = [];
  let pending = 0; // the number of an absent character that waits for its companion, from 1
  for (const seven of sevens(bytes)) {
    if (pending) {
      codes.push((pending << 7) | seven);
      pending = 0;
    } else if (ABSENT.includes(seven)) pending = ABSENT.indexOf(seven) + 1;
    else codes.push(seven);
  }
  if (pending) codes.push(pending << 7);
  return codes.map((code) => String.fromCharCode(code)).join("");
}

export function unpack(text, length) {
  const bytes = new Uint8Array(length);
  let bits = 0;
  let count = 0;
  let at = 0;
  const take = (seven) => {
    bits = (bits << 7) | seven;
    count += 7;
    if (count < 8) return;
    count -= 8;
    bytes[at++] = bits >> count;
    bits &= 255;
  };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) take(ABSENT[(code >> 7) - 1]);
    take(code & 127);
  }
  return bytes;
}
