/**
 * What a text says in its sender's own words: without reactions to a text of ours, quoted mails and
 * earlier texts, our own "Reply STOP to stop." and signatures. Empty: nothing is left.
 */

/** Longer texts are read up to here: a wish to stop isn't hidden behind more. */
const maxRead = 4000;

// "Liked “…”", "Removed a heart from “…”", "Reacted 👍 to “…”", "👍 to “…”", "A aimé « … »": what
// phones without reactions get instead. The quoted text can be cut, so the closing mark can be missing.
const reaction = new RegExp(
  '^\\s*(?:(?:liked|loved|disliked|laughed at|emphasi[sz]ed|questioned|reacted (?:\\S+ ){1,4}(?:to|with)' +
    '|removed an? .{1,30}? from|a (?:aimé|adoré|détesté|souligné|réagi .{1,20}? à|ri de)' +
    '|le (?:gustó|encantó|disgustó)|te gustó|ha reaccionado .{1,20}? a)\\s+' +
    '|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F\\s]+ (?:to|à|a) )' +
    `(?:["“”„«‘']|an? (?:image|photo|picture|movie|video|attachment))`,
  'iu',
);

const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const days = 'mon|tue|wed|thu|fri|sat|sun';
/** The line above a quoted mail; it can run over two lines. */
const quoteHeads = [
  new RegExp(`\\bon (?:${days}|${months}|\\d)[\\s\\S]{3,160}?\\bwrote:`, 'i'),
  /^\s*on\b[\s\S]{3,160}?\bwrote:/im,
  /^\s*le\b[\s\S]{3,160}?a écrit\s?:/im,
  /^\s*(?:el\b[\s\S]{3,160}?escribió|am\b[\s\S]{3,160}?schrieb[^\n:]{0,80}):/im,
  /^[\s_-]*(?:original message|forwarded message|message d'origine|begin forwarded message)[\s_:-]*$/im,
  /^\s*(?:from|de)\s?:\s.{1,200}\n+\s*(?:sent|date|to|envoyé|à)\s?:/im,
];

const signatures = [
  /^(?:--|—|–|__+)\s*$[\s\S]*/m,
  /(?:^|\s)(?:sent|get|envoyé|enviado|gesendet) (?:from|via|with|using|by|outlook|de|depuis|à partir de|desde|von)\b[^\n.!?]{0,80}\.?\s*$/gim,
  /(?:^|\s)von meinem \S+ gesendet\.?\s*$/gim,
  /^\s*do not (?:reply to this|share this)[^\n]*$/gim,
];
/** "Thanks, Bob" and "Best regards⏎Ann Lee" at the end; the name can be one of two words. */
const closing =
  /(?:^|[\s,.!])(?:[Tt]hanks|[Tt]hank you|[Tt]hx|[Mm]any [Tt]hanks|(?:[Bb]est|[Kk]ind|[Ww]arm)? ?[Rr]egards|[Bb]est|[Cc]heers|[Ss]incerely|[Mm]erci|[Cc]ordialement)\s*[,.!\n-]\s*\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){0,2}\s*$/u;
/** "Thanks. Stop" isn't signed. */
const signsWithKeyword =
  /\b(?:stop|unsub|cancel|end|quit|opt|remove|revoke|arr[eê]t|fin|please|hi)/i;
const address = /\b(?:https?:\/\/|www\.)\S+|[^\s@]+@[^\s@]+\.[^\s@]+/giu;
/** "- Bob" at the end. */
const signedWithDash = /(?:\n\s*|\s)[-–—~]\s?\p{Lu}\p{Ll}+(?: \p{Lu}[\p{Ll}.]+)?\s*$/u;

const words =
  'stop(?: ?all)?|arr[eêÊE]t|unsubscribe|cancel|end|quit|opt ?out|help|aide|info|start|yes';
/** Our own sentence about keywords: someone who quotes it asks for nothing. */
const instruction = new RegExp(
  `(?:(?:please|to (?:stop|opt[- ]?out|unsubscribe|end|cancel)[^.!?\\n]{0,40}?,?)\\s+)?` +
    `(?:reply|respond|text|txt|send|type|write|rep|répondez|repondez|envoyez|textez)\\s+(?:with\\s+|par\\s+)?` +
    `["'“‘«]?\\s?(?:${words})\\s?["'”’»]?\\s*` +
    `(?:(?:to|2|for|pour)\\s+(?:stop|end|opt[- ]?out|unsubscribe|unsub|cancel|quit|help|info|more|` +
    `receive|join|subscribe|resubscribe|arrêter|arreter|vous|vous désabonner|obtenir|aide)` +
    `[^.,;!?\\n]{0,60}|(?=$|[.!\\n,]))[.!,]?`,
  'giu',
);
/** "To opt out, reply STOP" without more. */
const instructionFirst =
  /\bto (?:stop|opt[- ]?out|unsubscribe|end|cancel)\b[^.!?\n]{0,40}?,?\s*(?:reply|text|txt|send)\s+["'“]?stop["'”]?[.!]?/giu;

const quotedSpans = /[“„«]([^“”„«»]{1,2000})[”»“]|"([^"]{1,2000})"/gu;

/** The text without control and formatting characters, in compatibility form. */
const plainText = (text: string): string =>
  text
    .slice(0, maxRead)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\r\n?/g, '\n');

function withoutQuotedMail(text: string): string {
  let rest = text;
  for (const head of quoteHeads) {
    const found = head.exec(rest);
    if (!found) continue;
    const after = rest.slice(found.index + found[0].length);
    // With marked lines below, what isn't marked is the reply; otherwise all of it is the quote.
    rest = `${rest.slice(0, found.index)}\n${/^\s*[>|]/m.test(after) ? after : ''}`;
  }
  return rest.replace(/^\s*(?:>|\|\s).*$/gm, '');
}

/** Words of an earlier text, whatever is between them. */
function withoutEarlier(text: string, earlier: readonly string[]): string {
  let rest = text;
  for (const each of earlier) {
    const said = plainText(each).match(/[\p{L}\p{N}]+/gu) ?? [];
    if (said.length < 3) continue;
    // The whole of it, or as much of its beginning as a phone quotes.
    const pattern = said.slice(0, 400).join('[^\\p{L}\\p{N}]+');
    rest = rest.replace(new RegExp(pattern, 'iu'), '\n');
  }
  return rest;
}

/** `earlier`: texts of ours that may be quoted without any mark. */
export function ownWords(text: string, earlier: readonly string[] = []): string {
  let own = plainText(text);
  if (reaction.test(own)) return '';
  own = withoutQuotedMail(withoutEarlier(own, earlier));
  for (const signature of signatures) own = own.replace(signature, '');
  own = own
    .replace(closing, (whole) => (signsWithKeyword.test(whole) ? whole : ''))
    .replace(address, ' ')
    .replace(instructionFirst, ' ')
    .replace(instruction, ' ')
    .replace(quotedSpans, (whole, curly?: string, straight?: string) =>
      ((curly ?? straight ?? '').match(/[\p{L}\p{N}]+/gu) ?? []).length > 2 ? '\n' : whole,
    );
  const unsigned = own.replace(signedWithDash, '');
  return (unsigned.trim() ? unsigned : own).trim();
}
