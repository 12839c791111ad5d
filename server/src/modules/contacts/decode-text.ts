/** Decodes bytes that arrive in pieces; `isLast`: no more come. */
export function textDecoder(encoding: string): (bytes: Uint8Array, isLast?: boolean) => string {
  const decoder = new TextDecoder(encoding);
  // Always as a stream: at once, Node reads Windows-1252 as Latin-1, in which curly quotes and dashes
  // are control characters.
  return (bytes, isLast = false) =>
    decoder.decode(bytes, { stream: true }) + (isLast ? decoder.decode() : '');
}
