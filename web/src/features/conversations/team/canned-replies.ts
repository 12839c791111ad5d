import { formatPhoneNumber } from '#ui';

/** Canned replies: finding the word one types, and filling in what is known of the person. Pure. */

export interface TemplateValues {
  name: string;
  phone: string;
  myName: string;
  company: string;
}
/** `{{first_name}}`, or `{{first_name|there}}` where nothing is known. Tags nobody knows stay as they are, to be seen. */
export function fillTemplate(body: string, facts: TemplateValues): string {
  const [first = '', ...rest] = facts.name.trim().split(/\s+/);
  const known: Record<string, string> = {
    first_name: first,
    last_name: rest.join(' '),
    name: facts.name.trim(),
    phone: formatPhoneNumber(facts.phone),
    my_name: facts.myName,
    company: facts.company,
  };
  return body
    .replace(
      /\{\{\s*([a-z_]+)\s*(?:\|([^{}]*))?\}\}/gi,
      (whole, tag: string, otherwise: string | undefined) => {
        const value = known[tag.toLowerCase()];
        return value === undefined ? whole : value || otherwise?.trim() || '';
      },
    )
    .replace(/ {2,}/g, ' ');
}
export const mergeTags = ['first_name', 'last_name', 'phone', 'my_name', 'company'] as const;

export interface Trigger {
  mark: '/' | '@';
  typed: string;
  from: number;
}
/** The word at the cursor that began with the mark, at the beginning or after a space; null: none. */
export function triggerAt(text: string, caret: number, mark: '/' | '@'): Trigger | null {
  const found = new RegExp(`(?:^|\\s)${mark}([\\p{L}\\p{N}_-]*)$`, 'u').exec(text.slice(0, caret));
  return found
    ? { mark, typed: found[1]!.toLowerCase(), from: caret - found[1]!.length - 1 }
    : null;
}

/** Those whose word begins so come first, then those that hold it anywhere. */
export function matchReplies<T extends { shortcut: string; title: string; body: string }>(
  replies: readonly T[],
  typed: string,
  most = 8,
): T[] {
  const begins = replies.filter((r) => r.shortcut.startsWith(typed));
  return [
    ...begins,
    ...replies.filter(
      (r) =>
        !begins.includes(r) && `${r.shortcut} ${r.title} ${r.body}`.toLowerCase().includes(typed),
    ),
  ].slice(0, most);
}

/** Whom a note names: colleagues whose `@Name` stands in it. */
export const mentionedIds = (
  text: string,
  teammates: readonly { id: number; name: string }[],
): number[] =>
  teammates.filter((m) => text.toLowerCase().includes(`@${m.name.toLowerCase()}`)).map((m) => m.id);
