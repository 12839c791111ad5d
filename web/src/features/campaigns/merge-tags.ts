import { mergeTags, type MergeTag } from '#contract/campaigns/rules';

const tagPattern = (tag: MergeTag): RegExp =>
  new RegExp(String.raw`\{\{\s*${tag}\s*(?:\|([^{}]*))?\}\}`, 'gi');
/** The fallback of a tag, from the first place that has one; '' if none has. */
export const tagFallback = (text: string, tag: MergeTag): string =>
  [...text.matchAll(tagPattern(tag))].map((m) => m[1] ?? '').find((words) => words.trim() !== '') ??
  '';
/**
 * Sets the fallback at every occurrence of a tag, without braces and bars, which would end the tag
 * early.
 */
export const setTagFallback = (text: string, tag: MergeTag, fallback: string): string => {
  const words = fallback.replace(/[{}|]/g, '');
  return text.replace(tagPattern(tag), words === '' ? `{{${tag}}}` : `{{${tag}|${words}}}`);
};
/** A message as lists show it: `{First name}` for a tag. */
export const showTagNames = (text: string): string =>
  (Object.keys(mergeTags) as MergeTag[]).reduce(
    (message, tag) => message.replace(tagPattern(tag), `{${mergeTags[tag]}}`),
    text,
  );

// ---- the message in its editor: a tag is shown as its name, in one piece ------------------------

/** Invisible separator on both sides of a tag's name. */
const TAG_BOUNDARY = '\u2063';
const tagNames = Object.entries(mergeTags) as [MergeTag, string][];
const displayTag = (tag: MergeTag): string => TAG_BOUNDARY + mergeTags[tag] + TAG_BOUNDARY;
const anyTagPattern = new RegExp(
  String.raw`\{\{\s*(${tagNames.map(([tag]) => tag).join('|')})\s*(?:\|[^{}]*)?\}\}`,
  'gi',
);

/** A part of the message: as it is sent (`raw`), and as it is shown. */
interface MessagePart {
  raw: string;
  shown: string;
  isTag: boolean;
}
/** Splits a message into text and tags. */
export function splitMessage(value: string): MessagePart[] {
  const pieces: MessagePart[] = [];
  let at = 0;
  const plain = (text: string): void => {
    if (text !== '') pieces.push({ raw: text, shown: text, isTag: false });
  };
  for (const { 0: raw, 1: tag = '', index } of value.matchAll(anyTagPattern)) {
    plain(value.slice(at, index));
    pieces.push({ raw, shown: displayTag(tag.toLowerCase() as MergeTag), isTag: true });
    at = index + raw.length;
  }
  plain(value.slice(at));
  return pieces;
}
/** The message as its editor shows it. */
export const displayText = (value: string): string =>
  splitMessage(value)
    .map(({ shown }) => shown)
    .join('');

/** Positions of the tags in the shown message. */
function tagSpans(value: string): { from: number; to: number }[] {
  let at = 0;
  return splitMessage(value).flatMap(({ shown, isTag }) => {
    const from = at;
    at += shown.length;
    return isTag ? [{ from, to: at }] : [];
  });
}
/** Converts an offset in the shown message, outside tags, to one in the message as sent. */
function rawOffset(value: string, offset: number): number {
  let raw = 0,
    shown = 0;
  for (const piece of splitMessage(value)) {
    if (offset < shown + piece.shown.length) return raw + (piece.isTag ? 0 : offset - shown);
    raw += piece.raw.length;
    shown += piece.shown.length;
  }
  return raw;
}

/** Moves the caret past a tag, in the direction it came from. */
export function moveCaretOutOfTag(value: string, caret: number, before: number): number {
  const inside = tagSpans(value).find(({ from, to }) => from < caret && caret < to);
  if (!inside) return caret;
  return caret > before ? inside.to : inside.from;
}

/**
 * Replaces a selection of the shown message with `piece`. `caret`: the position after it in the
 * shown message.
 */
export function insertAt(
  value: string,
  from: number,
  to: number,
  piece: string,
): { value: string; caret: number } {
  return {
    value: value.slice(0, rawOffset(value, from)) + piece + value.slice(rawOffset(value, to)),
    caret: from + displayText(piece).length,
  };
}

/**
 * The message after its shown text changed to `next`. A tag that lost a part is removed completely;
 * text is never inserted inside a tag.
 */
export function applyEdit(value: string, next: string): { value: string; caret: number } {
  const old = displayText(value);
  let from = 0,
    commonSuffix = 0;
  while (from < Math.min(old.length, next.length) && old[from] === next[from]) from += 1;
  while (
    commonSuffix < Math.min(old.length, next.length) - from &&
    old.at(-1 - commonSuffix) === next.at(-1 - commonSuffix)
  )
    commonSuffix += 1;
  let to = old.length - commonSuffix;
  const inserted = tagNames.reduce(
    (text, [tag]) => text.replaceAll(displayTag(tag), `{{${tag}}}`),
    next.slice(from, next.length - commonSuffix),
  );
  for (const tag of tagSpans(value)) {
    const within = (place: number): boolean => tag.from < place && place < tag.to;
    if (from === to && within(from)) from = to = tag.to;
    if (within(from)) from = tag.from;
    if (within(to)) to = tag.to;
  }
  return insertAt(value, from, to, inserted.replaceAll(TAG_BOUNDARY, ''));
}
