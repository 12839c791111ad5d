import { formatPhone } from '#contract';
import type { ScriptCheck } from '#contract/tracking/script-schemas';
import type { FailedRequest } from '../../../gateways/browser.ts';
import { resultOf } from './check-page.ts';
import { findTargets } from './find-targets.ts';
import { messageOf } from './findings.ts';
import type { Look } from './look-in-browser.ts';
import { readHtml } from './read-html.ts';

type Checked = Extract<Look, { state: 'checked' }>;
type Said = NonNullable<Checked['said']>;
type Message = ScriptCheck['messages'][number];

/** What a browser saw, of a page that none opened. */
export const unseen = (
  state: Exclude<ScriptCheck['browser']['state'], 'checked'>,
): ScriptCheck['browser'] => ({
  ...{ state, scriptRan: false, version: null, numbers: [], swapped: 0, errors: [] },
});

/** Guesses from the page's source, which a browser makes needless. */
const guesses = new Set<Message['code']>(['only_in_tag_manager', 'csp_blocked']);
/** And these, where the script ran. */
const disproved = new Set<Message['code']>(['script_missing', 'after_error']);

/** What a check of a page's source says, with what a browser saw that ran the page. Pure. */
export function withBrowser(
  found: ScriptCheck,
  look: Look,
  { isOwnKey, origin }: { isOwnKey(key: string): boolean; origin: string },
): ScriptCheck {
  if (look.state !== 'checked') return { ...found, browser: unseen(look.state) };
  const { page } = look;
  const said = look.said !== null && isOwnKey(look.said.key) ? look.said : null;
  const browser: ScriptCheck['browser'] = {
    ...{ state: 'checked', scriptRan: said !== null, version: said?.version ?? null },
    numbers: (said?.swaps ?? []).map(({ target, number }) => ({ number: target, shown: number })),
    ...{ swapped: said?.swapped ?? 0, errors: page.errors },
  };
  const failed = page.failed.filter(({ url }) => isOurs(url, origin));
  const messages = found.messages.filter(({ code }) => !guesses.has(code));
  const isBlocked =
    failed.some(({ why }) => why === 'policy') || (found.cspBlocks && !said?.isAnswered);
  if (isBlocked) messages.push(messageOf('csp_blocked', { origin }));
  const seen = { ...found, browser, messages, cspBlocks: isBlocked };
  const all = said
    ? withRun(seen, said, page.html)
    : { ...seen, messages: [...messages, ...withoutRun(seen, look, failed)] };
  if (said && !said.isAnswered && found.domainAllowed && !isBlocked)
    all.messages.push(
      messageOf('script_not_run', { reason: ': it got no answer about its number' }),
    );
  return { ...all, result: resultOf(all.messages) };
}

/** Where the script ran: what it did there counts, not what the source lets expect. */
function withRun(found: ScriptCheck, said: Said, html: string): ScriptCheck {
  const page = readHtml(html);
  const placesOf = (number: string) => findTargets(page, [number])[0];
  const targets = found.targets.map((target) => {
    const swap = said.swaps.find((one) => one.target === target.number);
    const now = swap && !target.willSwap ? placesOf(swap.number) : undefined;
    return now?.willSwap ? { ...now, number: target.number } : target;
  });
  // Numbers that the page's own scripts add aren't in its source.
  const isAdded = ({ code, text }: Message): boolean =>
    (code === 'number_not_found' || code === 'number_format_unknown') &&
    targets.some((one) => one.willSwap && text.startsWith(formatPhone(one.number, 'national')));
  const messages = found.messages.filter((one) => !disproved.has(one.code) && !isAdded(one));
  if (said.isAnswered && said.swaps.length === 0 && found.domainAllowed)
    messages.push(messageOf('no_number'));
  for (const { target, number } of said.swaps)
    if (target !== number && placesOf(target)?.willSwap && !placesOf(number)?.willSwap)
      messages.push(messageOf('not_swapped', { number: formatPhone(target, 'national') }));
  return {
    ...found,
    ...{ scriptFound: true, companyKeyMatches: true, targets, messages },
    scriptCount: Math.max(1, found.scriptCount),
    location: found.scriptFound ? found.location : 'tag_manager',
    version: found.version ?? said.version,
  };
}

/** Where it didn't run: why, unless the source said it already. */
function withoutRun(
  { messages, scriptFound, seenLiveAt }: ScriptCheck,
  { said }: Checked,
  failed: readonly FailedRequest[],
): Message[] {
  const has = (code: Message['code']): boolean => messages.some((one) => one.code === code);
  if (said !== null) return has('wrong_key') ? [] : [messageOf('wrong_key', { key: said.key })];
  if ((['script_missing', 'after_error', 'wrong_key', 'csp_blocked'] as const).some(has)) return [];
  // Visitors' browsers ran it: it may wait for something that they did.
  const level =
    failed.length > 0 ? 'error' : seenLiveAt ? 'info' : scriptFound ? 'error' : 'warning';
  return [messageOf('script_not_run', { reason: reasonOf(failed) }, level)];
}

const isOurs = (url: string, origin: string): boolean =>
  /\/t\/[\w-]+\/[\d.]+\/dni\.js/.test(url) || url.startsWith(`${origin}/`);

function reasonOf(failed: readonly FailedRequest[]): string {
  const whys = failed.flatMap(({ url, why }) => (url.includes('/dni.js') ? [why] : []));
  // Chromium says that a hash is wrong before or after it gives the request up.
  const why = whys.find((one) => one !== 'network') ?? whys[0];
  if (why === 'integrity') return ': its integrity hash doesn’t match. Copy the script again';
  if (why === 'status') return ': there is no script at its address. Copy it again';
  return why === undefined ? '' : ': its file couldn’t be loaded';
}
