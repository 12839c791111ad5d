/**
 * Websites under `.test`, which the real internet promises never to have: the sandbox answers for them, so that a
 * registration can be tried on a machine without a network. Every answer says that it is simulated. A name with `down` in
 * it does not answer; one with `bare` has a privacy page that says nothing of texts.
 */
import type { PageReader, PageResult } from '../../gateways/web-pages.ts';

const page = (title: string, body: string) =>
  `<!doctype html><title>${title}</title><h1>${title}</h1><p>${body}</p>`;
const policy =
  'We text customers who asked for it. Message and data rates may apply. SMS consent and phone numbers are never shared with or sold to third parties or affiliates for marketing. Reply STOP to stop.';
const barePolicy = 'We respect your privacy and use cookies to remember your visit.';

export function simulatedSites(others: PageReader): PageReader {
  return { fetchPage: async (url) => simulated(url) ?? others.fetchPage(url) };
}

function simulated(address: string): PageResult | null {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  const host = url.hostname.toLowerCase();
  if (!/^https?:$/.test(url.protocol) || !(host === 'test' || host.endsWith('.test'))) return null;
  const name = host.replace(/^www\./, '').replace(/\.test$/, '');
  if (/(^|[.-])down([.-]|$)/.test(name)) return { ok: false, why: 'unreachable', simulated: true };
  const isPolicy = /privacy|terms|legal/i.test(url.pathname);
  const words = isPolicy
    ? /(^|[.-])bare([.-]|$)/.test(name)
      ? barePolicy
      : policy
    : `Welcome to ${name}.`;
  return {
    ok: true,
    status: 200,
    text: page(isPolicy ? `Privacy at ${name}` : name, words),
    simulated: true,
  };
}
