import { foldedIncludes } from '#contract/fold';

/** A tag of a reply: its name, and what stands for a missing value. */
export const tagPattern = /\{\{\s*([a-z_]+)\s*(?:\|([^{}]*))?\}\}/gi;

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
      (r) => !begins.includes(r) && foldedIncludes(`${r.shortcut} ${r.title} ${r.body}`, typed),
    ),
  ].slice(0, limit);
}

/** Ids of the teammates whose `@Name` is in a note. */
export const mentionedIds = (
  text: string,
  teammates: readonly { id: number; name: string }[],
): number[] =>
  teammates.filter((m) => text.toLowerCase().includes(`@${m.name.toLowerCase()}`)).map((m) => m.id);
