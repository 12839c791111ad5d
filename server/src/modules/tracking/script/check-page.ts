import { formatPhone } from '#contract';
import type { ScriptPlace } from '#contract/tracking/script-rules';
import type { ScriptCheck } from '#contract/tracking/script-schemas';
import { blocksScript } from './content-policy.ts';
import { findTargets } from './find-targets.ts';
import { messageOf } from './findings.ts';
import { readHtml, type PageScript } from './read-html.ts';

/** What is known of the company that a page belongs to. */
export interface PageSetup {
  /** Of our server, as pages load the script from it. */
  origin: string;
  isOwnKey(key: string): boolean;
  /** The version of an address, such as 1; null: there is none. */
  versionOf(wanted: string): string | null;
  /** The numbers that active pools for this host replace; null: no pool is for it. */
  numbers: readonly string[] | null;
  seenLiveAt: Date | null;
}
type Found = Pick<
  ScriptCheck,
  | 'result'
  | 'scriptFound'
  | 'companyKeyMatches'
  | 'scriptCount'
  | 'location'
  | 'version'
  | 'domainAllowed'
  | 'targets'
  | 'telLinks'
  | 'otherTrackers'
  | 'cspBlocks'
  | 'messages'
>;
interface OwnScript {
  key: string;
  version: string;
  /** Null: a script of the page adds it. */
  tag: PageScript | null;
  place: ScriptPlace;
}

const ADDRESS = /\/t\/([\w-]{3,100})\/(\d+(?:\.\d+\.\d+)?)\/dni\.js/;
/** Scripts that replace phone numbers, by what their addresses or code hold. */
const others: readonly [name: string, pattern: RegExp][] = [
  ['CallRail', /cdn\.callrail\.com|calltrk/i],
  ['CallTrackingMetrics', /tctm\.(co|xyz)|calltrackingmetrics/i],
  ['WhatConverts', /whatconverts|ksrndkehqnwntyxlhgto/i],
  ['Invoca', /invocacdn|invoca\.net|ringrevenue/i],
  ['Infinity', /infinity-tracking/i],
  ['ResponseTap', /responsetap|adinsight\.com/i],
  ['Marchex', /marchex\.io|voicestar/i],
  ['Ringba', /ringba/i],
  ['Phonexa', /phonexa/i],
  ['Nimbata', /nimbata/i],
  ['Google call forwarding', /phone_conversion_number|_googWcmGet/],
];
const TAG_MANAGER = /googletagmanager\.com\/(?:gtm|gtag)|\bGTM-[A-Z\d]{4,}/;

/** What a page's HTML says about the script on it (A8.7). Pure. */
export function checkPage(
  html: string,
  { url, policies }: { url: string; policies: readonly string[] },
  setup: PageSetup,
): Found {
  const page = readHtml(html);
  const scripts = page.scripts.flatMap(ownScript);
  const own = scripts.find(({ key }) => setup.isOwnKey(key)) ?? scripts[0];
  const usesTagManager = page.scripts.some(({ src, code }) => TAG_MANAGER.test(`${src} ${code}`));
  const targets = findTargets(page, setup.numbers ?? []);
  const otherTrackers = others.flatMap(([name, pattern]) =>
    page.scripts.some(({ src, code }) => pattern.test(`${src ?? ''} ${code}`)) ? [name] : [],
  );
  const cspBlocks = blocksScript([...policies, ...page.policies], setup.origin, own?.tag ?? null);
  const isOwn = own !== undefined && setup.isOwnKey(own.key);
  const host = new URL(url).host;
  const messages: Found['messages'] = [];
  if (!own)
    messages.push(
      ADDRESS.test(html)
        ? messageOf('after_error')
        : usesTagManager
          ? messageOf('only_in_tag_manager', {}, setup.seenLiveAt ? 'info' : 'warning')
          : messageOf('script_missing'),
    );
  else if (!isOwn) messages.push(messageOf('wrong_key', { key: own.key }));
  if (scripts.length > 1)
    messages.push(messageOf('duplicate_script', { n: String(scripts.length) }));
  if (cspBlocks) messages.push(messageOf('csp_blocked', { origin: setup.origin }));
  if (setup.numbers === null) messages.push(messageOf('domain_not_in_pool', { host }));
  messages.push(...targets.flatMap(aboutTarget));
  if (otherTrackers.length > 0)
    messages.push(messageOf('other_number_script', { names: otherTrackers.join(', ') }));
  return {
    result: resultOf(messages),
    scriptFound: own !== undefined,
    companyKeyMatches: isOwn,
    scriptCount: scripts.length,
    location: own?.place ?? (usesTagManager ? 'tag_manager' : 'unknown'),
    version: own ? setup.versionOf(own.version) : null,
    domainAllowed: setup.numbers !== null,
    targets,
    telLinks: page.telLinks.length,
    ...{ otherTrackers, cspBlocks, messages },
  };
}

/** The worst of what was found. */
export const resultOf = (messages: Found['messages']): Found['result'] =>
  messages.some(({ level }) => level === 'error')
    ? 'failed'
    : messages.some(({ level }) => level === 'warning')
      ? 'warning'
      : 'ok';

function ownScript(script: PageScript): OwnScript[] {
  const byTag = ADDRESS.exec(script.src ?? '');
  const [, key = '', version = ''] = byTag ?? ADDRESS.exec(script.code) ?? [];
  if (!key) return [];
  return [{ key, version, tag: byTag ? script : null, place: script.place }];
}

function aboutTarget({ number, formats, reason }: Found['targets'][number]): Found['messages'] {
  const shown = { number: formatPhone(number, 'national'), format: formats[0] ?? '' };
  if (reason === 'format_unknown') return [messageOf('number_format_unknown', shown)];
  return reason === 'not_found' ? [messageOf('number_not_found', shown)] : [];
}
