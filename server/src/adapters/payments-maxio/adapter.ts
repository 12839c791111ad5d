import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, url, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';

/** Null: no API key is set. */
const maxioSettings = adapterSettings(
  'payments-maxio',
  {
    MAXIO_SITE: variable(
      text.regex(/^[a-z0-9][a-z0-9-]*$/, 'must be the subdomain alone, such as acme').optional(),
      '',
      'Maxio Advanced Billing: the subdomain of the site, for `BILLING=maxio`',
      { example: 'acme' },
    ),
    MAXIO_API_KEY: variable(text.optional(), '', 'Maxio: the API key that cards are charged with', {
      example: 'xCz9…',
      secret: true,
    }),
    MAXIO_PRODUCT: variable(
      text.optional(),
      'trunkline',
      'Maxio: the API handle of a product that costs nothing, which each company is subscribed to',
      { example: 'trunkline' },
    ),
    MAXIO_JS_PUBLIC_KEY: variable(
      text.regex(/^chjs_\S+$/, 'must begin with chjs_').optional(),
      '',
      'Maxio: the public key of Chargify.js, whose fields cards are entered in',
      { example: 'chjs_…' },
    ),
    MAXIO_JS_PRIVATE_KEY: variable(
      text.optional(),
      '',
      'Maxio: the private key of Chargify.js; with it card forms are signed, and the site can require that',
      { example: 'chjs_pvt_…', secret: true },
    ),
    MAXIO_SHARED_KEY: variable(
      text.optional(),
      '',
      'Maxio: the site’s shared key, which signs webhooks to `/webhooks/maxio`',
      { example: '7f6b…', secret: true },
    ),
    MAXIO_API_URL: variable(
      url('https:', 'http:').optional(),
      '',
      'Maxio: origin of its API where it isn’t `https://SITE.chargify.com`',
      { example: 'http://127.0.0.1:12112' },
    ),
  },
  (read, { billing, problem }) => {
    const [site, apiKey] = [read('MAXIO_SITE'), read('MAXIO_API_KEY')];
    const publicKey = read('MAXIO_JS_PUBLIC_KEY');
    if (billing === 'maxio' && !(site && apiKey && publicKey))
      problem(
        'BILLING=maxio needs MAXIO_SITE, MAXIO_API_KEY and MAXIO_JS_PUBLIC_KEY, from your site under Config, Integrations',
      );
    return site && apiKey && publicKey
      ? {
          apiKey,
          product: read('MAXIO_PRODUCT') ?? 'trunkline',
          publicKey,
          privateKey: read('MAXIO_JS_PRIVATE_KEY') ?? null,
          sharedKey: read('MAXIO_SHARED_KEY') ?? null,
          siteUrl: read('MAXIO_API_URL') ?? `https://${site}.chargify.com`,
        }
      : null;
  },
);

/** Cards at Maxio Advanced Billing: entered in its fields, charged by its API. */
export const maxio: Adapter = {
  name: 'payments-maxio',
  settings: maxioSettings,
  gateways: {
    payments: async (services) => {
      const account = maxioSettings.of(services.settings);
      if (!account) throw new Error('MAXIO_API_KEY is not set.');
      return (await import('./payments.ts')).maxioPayments(account, services);
    },
  },
  when: { payments: ({ billing }) => billing === 'maxio' },
  web: async (app, { settings }) => {
    const account = maxioSettings.of(settings);
    if (account && settings.billing === 'maxio')
      await app.register((await import('./card-page.ts')).cardPage(account));
  },
};
