/**
 * Simulated websites under `.test`, a domain reserved for testing (RFC 2606), so that a
 * registration can be tried without a network. Every result is marked as simulated. A host name
 * with `down` in it is unreachable; one with `bare` has a privacy page that does not mention texts.
 */
import type { PageReader, PageResult } from '../../gateways/web-pages.ts';

const page = (title: string, body: string) =>
  `<!doctype html><title>${title}</title><h1>${title}</h1><p>${body}</p>`;
const policy =
  'We text customers who asked for it. Message and data rates may apply. SMS consent and phone numbers are never shared with or sold to third parties or affiliates for marketing. Reply STOP to stop.';
const barePolicy = 'We respect your privacy and use cookies to remember your visit.';

/** Every other address goes to `others`. */
export function simulatedSites(others: PageReader): PageReader {
  return { fetchPage: async (url, options) => simulated(url) ?? others.fetchPage(url, options) };
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
    url: url.href,
    headers: {},
    text: page(isPolicy ? `Privacy at ${name}` : name, words),
    simulated: true,
  };
}
