/** Problems by field: one sentence each. */
export type MissingFields = Record<string, string>;

/** Adds the sentence for a field unless `ok` is truthy. */
export const need = (into: MissingFields, field: string, ok: unknown, text: string): void => {
  if (!ok) into[field] = text;
};

/** Whether a trimmed text looks like an email address. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text);

/** A typed URL, with `https://` added when missing (B §5); null when invalid. */
export function webAddress(typed: string): string | null {
  const text = typed.trim();
  if (!text || /\s/.test(text)) return null;
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
    return /^https?:$/.test(url.protocol) && url.hostname.includes('.') && !url.username
      ? url.href
      : null;
  } catch {
    return null;
  }
}
