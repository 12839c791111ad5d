import type { PageScript } from './read-html.ts';

/**
 * Whether a page's Content Security Policy keeps a script of this origin from running, or from
 * calling the server. Several policies all count.
 * @param script as the page has it; null: added by code that runs already
 */
export const blocksScript = (
  policies: readonly string[],
  origin: string,
  script: PageScript | null,
): boolean =>
  policies
    .flatMap((policy) => policy.split(','))
    .some((policy) => blocks(directivesOf(policy), origin, script));

const directivesOf = (policy: string): Map<string, string[]> =>
  new Map(
    policy
      .split(';')
      .map((part) => part.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name.toLowerCase(), sources]),
  );

function blocks(
  directives: ReadonlyMap<string, string[]>,
  origin: string,
  script: PageScript | null,
): boolean {
  const fallback = directives.get('default-src');
  const scripts = directives.get('script-src-elem') ?? directives.get('script-src') ?? fallback;
  const calls = directives.get('connect-src') ?? fallback;
  return (
    (scripts !== undefined && !runs(scripts, origin, script)) ||
    (calls !== undefined && !allows(calls, origin))
  );
}

function runs(sources: readonly string[], origin: string, script: PageScript | null): boolean {
  const nonce = script?.attributes['nonce'];
  if (nonce && sources.includes(`'nonce-${nonce}'`)) return true;
  const integrity = script?.attributes['integrity'];
  if (integrity && sources.includes(`'${integrity}'`)) return true;
  // Then only what is trusted by nonce or hash runs, and what that adds.
  if (sources.includes("'strict-dynamic'")) return script === null;
  return allows(sources, origin);
}

function allows(sources: readonly string[], origin: string): boolean {
  const url = new URL(origin);
  return sources.some((source) => {
    if (source === '*' || source.toLowerCase() === url.protocol) return true;
    const [, scheme, host = '', port] =
      /^(?:([a-z]+):\/\/)?([^/:]+)(?::(\d+|\*))?/i.exec(source.toLowerCase()) ?? [];
    if (scheme && `${scheme}:` !== url.protocol) return false;
    if (port && port !== '*' && port !== url.port) return false;
    return host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : host === url.hostname;
  });
}
