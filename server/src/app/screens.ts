import { existsSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import statics from '@fastify/static';
import { sharedReportPath } from '#contract/analytics/report-links/rules';
import { addressByName } from '../platform/http/own-name.ts';

/** Apps beside the main one, each under the path of its name. */
const otherApps = ['admin', 'caddy'] as const;
/** Paths that are never screens. */
const reserved = /^\/(api|sandbox|media|carriers|dev|docs|socket\.io|t)\//;

/**
 * Headers that only mean something for a document. A page loads dozens of hashed files: without
 * these, each answer is 700 bytes shorter. What a document embeds keeps `nosniff` and its
 * resource policy.
 */
const ofDocuments = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
] as const;
/** Hashed files that no browser shows as a document. */
const embedded = /^\/(?:[a-z]+\/)?assets\/[^/]+\.(?:js|css|woff2)$/;

/** The folder a bundle is built into. */
const distOf = (bundle: 'web' | (typeof otherApps)[number]) =>
  new URL(`../../../${bundle}/dist/`, import.meta.url).pathname;

/**
 * Serves the built screens, if there are any: hashed files are cached forever, the page itself
 * never. Every path without an extension returns the page.
 * @param handset whether the outside phones have a page
 * @param publicUrl where people open the app, asked with each page: it is known once we listen
 */
export async function serveScreens(
  app: FastifyInstance,
  { handset, publicUrl }: { handset: boolean; publicUrl: () => string },
): Promise<void> {
  if (!existsSync(distOf('web'))) return;
  // `serve: false`: files are looked up on request, so a new build is served without a restart.
  await app.register(statics, {
    root: distOf('web'),
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (res, path) => {
      void res.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  app.get('/*', async (request, reply) => {
    const [path = '/'] = request.url.split('?');
    if (!handset && /^\/handset(\/|$)/.test(path)) return reply.callNotFound();
    if (reserved.test(path)) return reply.callNotFound();
    const own = otherApps.find((name) => path === `/${name}` || path.startsWith(`/${name}/`));
    const file = own ? path.slice(own.length + 2) : path.slice(1);
    if (embedded.test(path)) for (const name of ofDocuments) void reply.removeHeader(name);
    if (path === sharedReportPath) void reply.header('x-robots-tag', 'noindex');
    const isFile = /\.[a-z0-9]+$/i.test(path);
    const elsewhere = isFile ? null : addressByName(publicUrl(), request.host, request.url);
    if (elsewhere) return reply.redirect(elsewhere, 307);
    return reply.sendFile(isFile ? file : 'index.html', distOf(own ?? 'web'));
  });
}
