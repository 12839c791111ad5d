import { mergeTags, type MergeTag } from '#contract/campaign-rules';

const anyOf = (tag: MergeTag): RegExp => new RegExp(String.raw`\{\{\s*${tag}\s*(?:\|([^{}]*))?\}\}`, 'gi');
/** What stands in place of a tag when a contact has no such value: of the first place where the message says so. */
export const fallbackOf = (text: string, tag: MergeTag): string => [...text.matchAll(anyOf(tag))].map((m) => m[1] ?? '').find((words) => words.trim() !== '') ?? '';
/** The message with that said at every place of the tag. Braces and bars would end the tag early. */
export const withFallback = (text: string, tag: MergeTag, fallback: string): string => {
  const words = fallback.replace(/[{}|]/g, '');
  return text.replace(anyOf(tag), words === '' ? `{{${tag}}}` : `{{${tag}|${words}}}`);
};
/** A message as people read it who look at it in a list: the names of its tags where the tags stand. */
export const withTagNames = (text: string): string => (Object.keys(mergeTags) as MergeTag[]).reduce((said, tag) => said.replace(anyOf(tag), `[${mergeTags[tag]}]`), text);
