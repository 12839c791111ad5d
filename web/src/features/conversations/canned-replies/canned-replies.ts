import { formatPhoneNumber } from '#ui';

interface TemplateValues {
  name: string;
  phone: string;
  myName: string;
  company: string;
}
const tagPattern = /\{\{\s*([a-z_]+)\s*(?:\|([^{}]*))?\}\}/gi;

/**
 * Fills in the tags: `{{first_name}}`, or `{{first_name|there}}` with a fallback for contacts
 * without a value. Unknown tags stay, so that the sender sees them.
 */
export function fillTemplate(body: string, values: TemplateValues): string {
  const [first = '', ...rest] = values.name.trim().split(/\s+/);
  const known: Record<string, string> = {
    first_name: first,
    last_name: rest.join(' '),
    name: values.name.trim(),
    phone: formatPhoneNumber(values.phone),
    my_name: values.myName,
    company: values.company,
  };
  return body
    .replace(tagPattern, (whole, tag: string, fallback: string | undefined) => {
      const value = known[tag.toLowerCase()];
      return value === undefined ? whole : value || fallback?.trim() || '';
    })
    .replace(/ {2,}/g, ' ');
}
/** A reply as a list shows it: `{First name}` for a tag. */
export const showTagNames = (body: string): string =>
  body.replace(tagPattern, (_whole, tag: string) => `{${tagName(tag)}}`);
/** `first_name` → `First name`. */
export const tagName = (tag: string): string =>
  `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll('_', ' ')}`;
export const mergeTags = ['first_name', 'last_name', 'phone', 'my_name', 'company'] as const;

export interface Trigger {
  mark: '/' | '@';
  typed: string;
  from: number;
}
/**
 * The word at the caret that begins with the mark, at the start or after a space; `null` when there
 * is none.
 */
export function triggerAt(text: string, caret: number, mark: '/' | '@'): Trigger | null {
  const found = new RegExp(`(?:^|\\s)${mark}([\\p{L}\\p{N}_-]*)$`, 'u').exec(text.slice(0, caret));
  const typed = found?.[1];
  if (typed === undefined) return null;
  return { mark, typed: typed.toLowerCase(), from: caret - typed.length - 1 };
}

/**
 * Replies that match the typed text: shortcuts that begin with it first, then replies that contain
 * it.
 */
export function matchReplies<T extends { shortcut: string; title: string; body: string }>(
  replies: readonly T[],
  typed: string,
  limit = 8,
): T[] {
  const begins = replies.filter((r) => r.shortcut.startsWith(typed));
  return [
    ...begins,
    ...replies.filter(
      (r) =>
        !begins.includes(r) && `${r.shortcut} ${r.title} ${r.body}`.toLowerCase().includes(typed),
    ),
  ].slice(0, limit);
}

/** Ids of the teammates whose `@Name` is in a note. */
export const mentionedIds = (
  text: string,
  teammates: readonly { id: number; name: string }[],
): number[] =>
  teammates.filter((m) => text.toLowerCase().includes(`@${m.name.toLowerCase()}`)).map((m) => m.id);
