import { mergeTags, type MergeTag } from '#contract/campaign-rules';

const anyOf = (tag: MergeTag): RegExp =>
  new RegExp(String.raw`\{\{\s*${tag}\s*(?:\|([^{}]*))?\}\}`, 'gi');
/** What stands in place of a tag when a contact has no such value: of the first place where the message says so. */
export const fallbackOf = (text: string, tag: MergeTag): string =>
  [...text.matchAll(anyOf(tag))].map((m) => m[1] ?? '').find((words) => words.trim() !== '') ?? '';
/** The message with that said at every place of the tag. Braces and bars would end the tag early. */
export const withFallback = (text: string, tag: MergeTag, fallback: string): string => {
  const words = fallback.replace(/[{}|]/g, '');
  return text.replace(anyOf(tag), words === '' ? `{{${tag}}}` : `{{${tag}|${words}}}`);
};
/** A message as people read it who look at it in a list: `{First name}` where a tag stands. */
export const withTagNames = (text: string): string =>
  (Object.keys(mergeTags) as MergeTag[]).reduce(
    (said, tag) => said.replace(anyOf(tag), `{${mergeTags[tag]}}`),
    text,
  );

// ---- the message while it is written: a tag stands in it as its name, in one piece --------------------------------

/** Stands on both sides of a tag's name and is not seen. */
const EDGE = '\u2063';
const names = Object.entries(mergeTags) as [MergeTag, string][];
const shownTag = (tag: MergeTag): string => EDGE + mergeTags[tag] + EDGE;
const anyTag = new RegExp(
  String.raw`\{\{\s*(${names.map(([tag]) => tag).join('|')})\s*(?:\|[^{}]*)?\}\}`,
  'gi',
);

/** A piece of the message: as it is sent (`raw`), and as it is shown. */
export interface Piece {
  raw: string;
  shown: string;
  isTag: boolean;
}
export function piecesOf(value: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const plain = (text: string): void => {
    if (text !== '') pieces.push({ raw: text, shown: text, isTag: false });
  };
  for (const { 0: raw, 1: tag, index } of value.matchAll(anyTag)) {
    plain(value.slice(at, index));
    pieces.push({ raw, shown: shownTag(tag!.toLowerCase() as MergeTag), isTag: true });
    at = index + raw.length;
  }
  plain(value.slice(at));
  return pieces;
}
export const shownOf = (value: string): string =>
  piecesOf(value)
    .map(({ shown }) => shown)
    .join('');

/** Where the tags stand in the shown message. */
function spansOf(value: string): { from: number; to: number }[] {
  let at = 0;
  return piecesOf(value).flatMap(({ shown, isTag }) => {
    const from = at;
    at += shown.length;
    return isTag ? [{ from, to: at }] : [];
  });
}
/** The place in the message as sent, of a place in it as shown that is in no tag. */
function rawPlace(value: string, place: number): number {
  let raw = 0,
    shown = 0;
  for (const piece of piecesOf(value)) {
    if (place < shown + piece.shown.length) return raw + (piece.isTag ? 0 : place - shown);
    raw += piece.raw.length;
    shown += piece.shown.length;
  }
  return raw;
}

/** The caret is never inside a tag: past it in the direction it moved. */
export function outsideTags(value: string, caret: number, before: number): number {
  const inside = spansOf(value).find(({ from, to }) => from < caret && caret < to);
  if (!inside) return caret;
  return caret > before ? inside.to : inside.from;
}

/** Puts `piece` where the shown message is selected. `caret`: behind it, in the shown message. */
export function putIn(
  value: string,
  from: number,
  to: number,
  piece: string,
): { value: string; caret: number } {
  return {
    value: value.slice(0, rawPlace(value, from)) + piece + value.slice(rawPlace(value, to)),
    caret: from + shownOf(piece).length,
  };
}

/** The message after its shown text became `next`. A tag that lost a part goes whole; inside one, nothing is written. */
export function edited(value: string, next: string): { value: string; caret: number } {
  const old = shownOf(value);
  let from = 0,
    same = 0;
  while (from < Math.min(old.length, next.length) && old[from] === next[from]) from += 1;
  while (
    same < Math.min(old.length, next.length) - from &&
    old.at(-1 - same) === next.at(-1 - same)
  )
    same += 1;
  let to = old.length - same;
  const put = names.reduce(
    (text, [tag]) => text.replaceAll(shownTag(tag), `{{${tag}}}`),
    next.slice(from, next.length - same),
  );
  for (const tag of spansOf(value)) {
    const within = (place: number): boolean => tag.from < place && place < tag.to;
    if (from === to && within(from)) from = to = tag.to;
    if (within(from)) from = tag.from;
    if (within(to)) to = tag.to;
  }
  return putIn(value, from, to, put.replaceAll(EDGE, ''));
}
