/**
 * The product's modules, in order. A module may import the public API (`index.ts`) of the modules
 * before it and knows nothing of those after it; what those need to know is published as an event.
 * Lint, documents and tests read this list; the same names order server/src/modules, contract/src and
 * web/src/features.
 */
export const modules = [
  'identity', // sessions, MFA, keys, OAuth consent
  'fields', // custom fields, tags, column presets: companies and people have custom values too
  'companies', // companies, organizations, users, roles, invitations
  'settings', // general settings, features, tenant, branding, domains, support
  'connections', // what a company links to third parties: OAuth, tokens, health
  'billing',
  'contacts',
  'compliance', // opt-outs, blocks, SMS verification
  'numbers', // inventory, purchase, templates, forwarding contacts
  'porting', // port requests, letters, carriers' reports
  'marketplace', // listings, offers, leases
  'routing', // routes, schedules, greetings, the engine, simulation
  'tracking',
  'calls', // records, recordings, transcripts, voicemail, in-app calling
  'messaging', // one engine that sends texts: rates, submission, receipts, recovery
  'conversations',
  'fax',
  'campaigns',
  'integrations',
  'notifications',
  'analytics',
  'monitoring',
  'archive', // a company's data in one file, its import, erasing a person
  'caddy', // the consumer app; nothing depends on it
];
