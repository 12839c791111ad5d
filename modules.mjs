/**
 * The list: the product's subjects, in order. A module may import the door (`index.ts`) of any module
 * before it and does not know that those after it exist; what must be heard further up is said as an
 * event. Lint, documents and tests read this; the same names order server/src/modules, contract/src
 * and web/src/features.
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
  'caddy', // nothing leans on it
];
