import { z } from 'zod';
import { billingVariable } from './billing-variable.ts';
import { caddyVariables } from './caddy-variables.ts';
import { keepingVariables } from './keeping-variables.ts';
import { scaleVariables } from './scale-variables.ts';
import { watchingVariables } from './watching-variables.ts';
import {
  atLeastOne,
  booleanFlag,
  hostAndPort,
  key,
  keys,
  namesOf,
  port,
  portRange,
  proxies,
  text,
  url,
  variable,
} from './variable.ts';

/** What a process can do. `npm start` runs one process for each. */
const roleNames = ['web', 'worker', 'media'] as const;
export type Role = (typeof roleNames)[number];

/** The variables that are the same whichever adapters there are. */
const commonVariables = {
  NODE_ENV: variable(
    text.optional(),
    '',
    '`production` turns off the demo, closes development-only pages, and requires `APP_SECRET` and `CARRIER`',
  ),
  PORT: variable(
    port,
    '3000',
    'Port of the web process; the next free port is used when it’s busy',
  ),
  HOST: variable(
    text,
    '127.0.0.1',
    'Address it listens on; `0.0.0.0` to be reachable from other machines',
  ),
  PUBLIC_URL: variable(
    url('http:', 'https:').optional(),
    '',
    'URL people open; by default `http://HOST:PORT`',
    { example: 'https://phones.example.com', secret: true },
  ),
  TRUST_PROXY: variable(
    proxies,
    '',
    'Proxies whose `X-Forwarded-For` is trusted: addresses or networks separated by commas, or `loopback`, `linklocal`, `uniquelocal`. Empty: none, and everyone behind a proxy shares its address',
    { example: 'loopback' },
  ),
  REGION_HEADER: variable(
    text.regex(/^[a-z0-9-]{1,60}$/i, 'must be the name of a header').optional(),
    '',
    'Header in which a proxy of `TRUST_PROXY` says the region of a website’s visitor, such as `CA`; Trunkline looks up no addresses itself',
    { example: 'cf-region-code' },
  ),
  DATA_DIR: variable(
    text,
    '.data',
    'Directory for the database, files and secrets of this installation',
  ),
  DATABASE_URL: variable(
    url('postgres:', 'postgresql:').optional(),
    '',
    'Your own PostgreSQL 15 or later (docs/database.md); without it one is started in `DATA_DIR`',
    { example: 'postgres://user:password@127.0.0.1:5432/trunkline', secret: true },
  ),
  REDIS_URL: variable(
    url('redis:', 'rediss:').optional(),
    '',
    'Redis shared by several web processes; without it PostgreSQL carries live events',
    { example: 'redis://127.0.0.1:6379', secret: true },
  ),
  MAIL_FROM: variable(text, 'Trunkline <no-reply@trunkline.test>', 'Sender of our email'),
  SUPPORT_EMAIL: variable(
    z.email('must be an email address').optional(),
    '',
    'Address that support tickets are emailed to; without it platform staff only see them under `/admin/tickets`',
    { example: 'support@example.com' },
  ),
  DEMO: variable(
    booleanFlag.optional(),
    '',
    'Demo data and one-click sign-in: on, unless `NODE_ENV=production`; `0` starts empty, and the first sign-up owns the first company',
    { example: '1' },
  ),
  OAUTH_DYNAMIC_REGISTRATION: variable(
    booleanFlag.optional(),
    '',
    'Whether programs may register themselves as OAuth clients (`1`), as remote MCP clients expect; off by default',
  ),
  ROLES: variable(namesOf(roleNames), 'web,worker,media', 'Processes that run here'),
  LOG_LEVEL: variable(
    z.enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    ),
    'info',
    'Log level',
  ),
  ...watchingVariables,
  APP_SECRET: variable(
    key.optional(),
    '',
    '32 bytes that sign links and encrypt stored secrets; required in production, otherwise stored in `DATA_DIR`',
    { example: '$(openssl rand -hex 32)', secret: true },
  ),
  APP_SECRET_PREVIOUS: variable(
    keys,
    '',
    'Earlier values of `APP_SECRET`, separated by commas: values they sealed or signed still work and are sealed again within the hour (docs/secrets.md)',
    { example: '<the APP_SECRET before>', secret: true },
  ),
  ...keepingVariables,
  ...scaleVariables,
  MEDIA_PORT: variable(
    port,
    '3001',
    'Port of the media process for the other processes; by default the next free one after the web process',
    { internal: true },
  ),
  SIP_PORT: variable(
    port,
    '0',
    'Port of our exchange for SIP phones: UDP, TCP, WebSocket, and TLS with a certificate; the next free one when it’s busy; 0 for none. It listens on `HOST`',
    { example: '5060' },
  ),
  SIP_TLS_CERT: variable(
    text.optional(),
    '',
    'Certificate file (PEM, with its chain) for `SIP_PORT` over TLS; with `SIP_TLS_KEY`. Read at start',
    { example: '/etc/ssl/phones.pem' },
  ),
  SIP_TLS_KEY: variable(text.optional(), '', 'Key file of that certificate (PEM)', {
    example: '/etc/ssl/phones.key',
    secret: true,
  }),
  SIP_PUBLIC: variable(
    hostAndPort.optional(),
    '',
    'Where carriers reach `SIP_PORT` from outside, by UDP: with it, calls on Twilio and Bandwidth numbers can be answered and placed in the browser; empty: only calls on sandbox numbers ring in browsers',
    { example: 'phones.example.com:5060' },
  ),
  RTP_PORTS: variable(
    portRange.optional(),
    '',
    'UDP ports for audio of browsers, SIP phones and carriers, for firewalls; empty: any free ones',
    { example: '40000-40199' },
  ),
  MEDIA_CALLS: variable(
    z.coerce.number('must be a number').int('must be a whole number').min(1, 'must be at least 1'),
    '30',
    'Calls with audio that our exchange carries at once; above that callers hear busy. One core carries about 30; the log warns from 80 percent on',
  ),
  MOVE_PORTS: variable(
    booleanFlag,
    '0',
    'A process whose port is busy uses the next free one and reports it to the supervisor, which sets this',
    { internal: true },
  ),
  MEDIA_SECRET: variable(
    text.min(16, 'must have at least 16 characters').optional(),
    '',
    'Shared by our processes to trust each other; stored in `DATA_DIR`',
    { internal: true, example: '$(openssl rand -hex 32)', secret: true },
  ),
  METRICS_TOKEN: variable(
    text.min(16, 'must have at least 16 characters').optional(),
    '',
    'Token that may read `/metrics` as `Authorization: Bearer …`; without it `/metrics` is closed in production and otherwise open to this machine',
    { example: '$(openssl rand -hex 32)', secret: true },
  ),
  RATE_USER_PER_MINUTE: variable(atLeastOne, '600', 'Requests per user per minute'),
  RATE_COMPANY_PER_MINUTE: variable(atLeastOne, '3000', 'Requests per company per minute'),
  SIGN_INS_PER_MINUTE: variable(
    atLeastOne,
    '60',
    'Requests with passwords, codes or links from one address per minute',
  ),
  CODES_PER_HOUR: variable(atLeastOne, '5', 'Codes sent to one address or phone per hour'),
  ...caddyVariables,
  EXPORTS_PER_HOUR: variable(atLeastOne, '10', 'Exports per user per hour'),
  BODY_SECONDS: variable(
    atLeastOne,
    '30',
    'Seconds the body of a request may take to arrive; uploads may take ten times as long',
  ),
  UPLOAD_MB: variable(atLeastOne, '64', 'Total megabytes of all files in one upload'),
  ARCHIVE_MB: variable(
    atLeastOne,
    '20480',
    'Megabytes of a company’s archive that platform staff can upload to import it; it comes in small parts',
  ),
  UPLOADS_MB: variable(
    atLeastOne,
    '256',
    'Megabytes of request bodies one web process accepts at the same time; beyond that it answers 503',
  ),
  STATEMENT_SECONDS: variable(
    atLeastOne,
    '8',
    'Time limit of a database statement in a request; jobs have none',
  ),
  SOCKET_SIGN_IN_SECONDS: variable(
    atLeastOne,
    '20',
    'Live connections that haven’t signed in by then are closed',
    { internal: true },
  ),
  SOCKETS_UNKNOWN: variable(
    atLeastOne,
    '2000',
    'Live connections that haven’t signed in, at the same time per process; at most a tenth of them from one address',
    { internal: true },
  ),
};

/**
 * The variables that no adapter declares.
 * @param carriers names that CARRIER may hold
 * @param faxCarriers names that FAX_CARRIER may hold, besides `none`
 */
export const platformVariables = (carriers: readonly string[], faxCarriers: readonly string[]) => ({
  ...commonVariables,
  CARRIER: variable(
    namesOf(carriers),
    'sandbox',
    'Carriers for calls and texts, the default one first: `sandbox` (simulated on this machine), `twilio`, `bandwidth`; separate several with commas; required in production. With `sandbox`, `/sandbox` and `/handset` are open to anyone. `somos` after another one reserves toll-free numbers',
  ),
  FAX_CARRIER: variable(
    z.enum([...faxCarriers, 'none'], `must be ${faxCarriers.join(', ')} or none`).optional(),
    '',
    'Fax carrier: `sandbox` (simulated on this machine), `telnyx` or `none`. By default the sandbox; in production only where `CARRIER` is `sandbox` alone, else none',
    { example: 'telnyx' },
  ),
  BILLING: billingVariable,
  PUSH: variable(
    z.enum(['sandbox', 'real'], 'must be sandbox or real').optional(),
    '',
    'Push notifications to phones and browsers: `real` in production, otherwise `sandbox`, which shows them at `/dev/pushes`',
    { example: 'real' },
  ),
});
