import type { FastifyInstance } from 'fastify';
import { cardPages } from '#contract/billing/rules';
import { escapeHtml } from '../../platform/html.ts';
import type { MaxioAccount } from './account.ts';

/** Our page with Maxio's fields for a card. */
export const cardPagePath = '/payments/maxio/card';

const script = `'use strict';
const form = document.querySelector('form');
const said = document.querySelector('[role=alert]');
const button = document.querySelector('button');
const { publickey, host, to } = form.dataset;
if (typeof Chargify === 'undefined') {
  button.disabled = true;
  said.textContent = 'The fields couldn’t be loaded. Reload the page.';
}
const chargify = new Chargify();
chargify.load({
  selector: '#card',
  publicKey: publickey,
  type: 'card',
  serverHost: host,
  securityToken: location.hash.slice(1) || undefined,
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  button.disabled = true;
  said.textContent = '';
  chargify.token(
    form,
    (token) => location.assign(to + '?card=' + encodeURIComponent(token)),
    (error) => {
      button.disabled = false;
      said.textContent = [error.errors || error.message || 'The card wasn’t accepted.'].flat().join(' ');
    },
  );
});
`;
const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:440px;margin:8vh auto;padding:0 16px}h1{font-size:20px}button{font:inherit;padding:8px 20px;border-radius:8px;border:1px solid #0f766e;background:#0f766e;color:#fff;cursor:pointer}button:disabled{opacity:.5}[role=alert]{color:light-dark(#b91c1c,#f87171);min-height:1.5em}a{color:inherit;margin-left:12px}`;

const policy = (host: string): string =>
  [
    `default-src 'none'`,
    `script-src 'self' https://js.chargify.com`,
    `style-src 'unsafe-inline' https://js.chargify.com`,
    // The fields, and pages of banks that want to hear from the person.
    `frame-src https:`,
    `connect-src https://js.chargify.com ${host}`,
    `img-src https: data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

/**
 * The page that a card is entered on. Number and code are typed into frames of Maxio: they never come
 * to this page or this server, and the page leads back with Maxio's token.
 */
export const cardPage =
  ({ publicKey, siteUrl }: MaxioAccount) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get(`${cardPagePath}.js`, (_, reply) =>
      reply.type('text/javascript').header('cache-control', 'no-cache').send(script),
    );
    app.get<{ Querystring: { to?: string } }>(cardPagePath, (request, reply) => {
      const to = cardPages.find((page) => request.query.to?.endsWith(page)) ?? cardPages[0];
      return reply
        .type('text/html')
        .header('content-security-policy', policy(siteUrl))
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .send(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Card</title>
<style>${style}</style>
<h1>Enter your card</h1>
<form data-publickey="${escapeHtml(publicKey)}" data-host="${escapeHtml(siteUrl)}" data-to="${escapeHtml(to)}">
<div id="card"></div><p role="alert"></p><button>Save card</button><a href="${escapeHtml(to)}">Cancel</a></form>
<script src="https://js.chargify.com/latest/chargify.js"></script><script src="${cardPagePath}.js"></script></html>`);
    });
  };
