import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import http from 'node:http';
import https from 'node:https';
import type { PageReader, PageResult } from '../../gateways/web-pages.ts';
import { isPublicAddress } from './public-address.ts';

const maxBytes = 512 * 1024;
const timeoutMs = 5000;
const maxRedirects = 3;

type PageResponse = { status: number; location: string | null; text: string };
export interface FetchRules {
  resolve(host: string): Promise<string[]>;
  isPublic(address: string): boolean;
  ports: readonly string[];
}
const publicInternet: FetchRules = {
  resolve: async (host) =>
    (await lookup(host, { all: true, verbatim: true })).map((a) => a.address),
  isPublic: isPublicAddress,
  ports: ['', '80', '443'],
};

/**
 * Reads public web pages whose URL a user entered. The name is resolved here, every address of it
 * has to be public, and the connection goes to exactly the address that was checked, which defeats
 * DNS rebinding. Redirects are followed here, so that each is checked, too.
 */
export function publicPageReader(rules: FetchRules = publicInternet): PageReader {
  const read = async (address: string, left: number): Promise<PageResult> => {
    let url: URL;
    try {
      url = new URL(address);
    } catch {
      return unreadable('not_web');
    }
    if (
      !/^https?:$/.test(url.protocol) ||
      url.username ||
      url.password ||
      !rules.ports.includes(url.port)
    )
      return unreadable('not_web');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const found = isIP(host) ? [host] : await rules.resolve(host).catch(() => []);
    if (!found.length) return unreadable('unreachable');
    if (!found.every(rules.isPublic)) return unreadable('private_address');
    const got = await get(url, found[0]!).catch(() => null);
    if (!got) return unreadable('unreachable');
    if (got.status >= 300 && got.status < 400 && got.location)
      return left > 0
        ? read(new URL(got.location, url).href, left - 1)
        : unreadable('too_many_redirects');
    return { ok: true, status: got.status, text: got.text, simulated: false };
  };
  return { fetchPage: (url) => read(url, maxRedirects).catch(() => unreadable('unreachable')) };
}
const unreadable = (why: Extract<PageResult, { ok: false }>['why']): PageResult => ({
  ok: false,
  why,
  simulated: false,
});

function get(url: URL, address: string): Promise<PageResponse> {
  return new Promise((resolve, reject) => {
    const secure = url.protocol === 'https:';
    const request = (secure ? https : http).request(
      {
        host: address,
        port: url.port || (secure ? 443 : 80),
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        agent: false,
        ...(secure && !isIP(url.hostname) ? { servername: url.hostname } : {}),
        headers: {
          host: url.host,
          'user-agent': 'Trunkline registration check',
          accept: 'text/html,*/*;q=0.5',
          'accept-encoding': 'identity',
        },
      },
      (answer) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        const done = () =>
          resolve({
            status: answer.statusCode ?? 0,
            location: answer.headers.location ?? null,
            text: Buffer.concat(parts).toString('utf8'),
          });
        answer.on('data', (part: Buffer) => {
          parts.push(part);
          if ((bytes += part.length) > maxBytes) {
            answer.destroy();
            done();
          }
        });
        answer.on('end', done);
        answer.on('error', reject);
      },
    );
    const timer = setTimeout(() => request.destroy(new Error('too slow')), timeoutMs);
    request.on('close', () => clearTimeout(timer));
    request.on('error', reject);
    request.end();
  });
}
