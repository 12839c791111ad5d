import { z } from 'zod';
import { instant } from '../schemas.ts';
import { formLimits } from './form-rules.ts';
import { browserStates, scriptFindings, scriptPlaces, targetReasons } from './script-rules.ts';

/** A website on which the script was heard from. */
const scriptSite = z.object({
  host: z.string().meta({ description: 'With the port, unless it is the usual one' }),
  lastSeenAt: instant,
  version: z.string().nullable(),
  swapped: z
    .number()
    .nullable()
    .meta({ description: 'Places that showed a visitor’s number; null: none ever did' }),
  swappedAt: instant.nullable(),
  firstPartyHost: z
    .string()
    .nullable()
    .meta({ description: 'A subdomain of the website at which its pages called us; null: none' }),
  firstPartyAt: instant.nullable(),
});

/** CSS selectors of forms. */
export const formSelectors = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'Enter a selector.')
      .max(formLimits.selectorLength, `At most ${formLimits.selectorLength} characters.`),
  )
  .max(formLimits.selectors, `At most ${formLimits.selectors}.`);

/** What a company puts on its websites, and where that was seen. */
export const script = z.object({
  companyKey: z.string(),
  version: z.string(),
  isEnabled: z.boolean().meta({ description: 'False: every page shows its own numbers' }),
  forms: z.object({
    isEnabled: z.boolean().meta({ description: 'Forms that visitors send become leads' }),
    selectors: z
      .array(z.string())
      .meta({ description: 'Of forms that are captured; others are told by `DNI.event("form")`' }),
    snippet: z.string().meta({ description: 'A second tag, which captures the chosen forms' }),
  }),
  firstParty: z.object({
    host: z.string().nullable().meta({
      description: 'The subdomain of a website from which pages load the script; null: from us',
    }),
    target: z.string().meta({ description: 'Where it has to lead' }),
  }),
  snippet: z.string().meta({ description: 'This version, which never changes' }),
  snippetLatest: z.string().meta({ description: 'The newest of this major version' }),
  gtmSnippet: z.string().meta({ description: 'A Custom HTML tag of Google Tag Manager' }),
  gtmTemplate: z.object({ fileName: z.string(), content: z.string() }).meta({
    description: 'A custom template to import, for containers without custom HTML',
  }),
  wordpress: z
    .object({
      fileName: z.string().meta({ description: 'Of the zip file' }),
      content: z.string().meta({ description: 'The plugin’s one file, in PHP' }),
      zip: z.string().meta({ description: 'Base64, to upload under Plugins' }),
    })
    .meta({ description: 'A plugin' }),
  nextjs: z.string().meta({ description: 'For the root layout' }),
  shopify: z.string().meta({ description: 'For layout/theme.liquid, before </head>' }),
  installed: z.object({ lastSeenAt: instant.nullable(), domains: z.array(scriptSite) }),
  versions: z.array(
    z.object({ version: z.string(), at: z.string(), integrity: z.string(), notes: z.string() }),
  ),
  changelogUrl: z.string(),
});
export type Script = z.infer<typeof script>;

/** What a look at a page of a website found (A8.7). */
export const scriptCheck = z.object({
  url: z.string(),
  finalUrl: z.string().nullable().meta({ description: 'Where redirects led to; null: nowhere' }),
  httpStatus: z.number().nullable(),
  checkedAt: instant,
  result: z.enum(['ok', 'warning', 'failed']),
  scriptFound: z.boolean(),
  companyKeyMatches: z.boolean(),
  scriptCount: z.number(),
  location: z.enum(scriptPlaces),
  version: z.string().nullable(),
  domainAllowed: z.boolean(),
  seenLiveAt: instant
    .nullable()
    .meta({ description: 'When a visitor’s browser last ran it there' }),
  targets: z.array(
    z.object({
      number: z.string(),
      occurrences: z.number(),
      formats: z.array(z.string()).meta({ description: '# is a digit, @ a letter' }),
      willSwap: z.boolean(),
      reason: z.enum(targetReasons).nullable(),
    }),
  ),
  telLinks: z.number(),
  otherTrackers: z.array(z.string()),
  cspBlocks: z.boolean(),
  browser: z
    .object({
      state: z.enum(browserStates).meta({
        description:
          '`checked`: a browser opened the page and ran its scripts. `not_installed`: the server has none. `not_opened`: the page couldn’t be read before. `not_started`: the server’s browser doesn’t start. `busy`: other pages wait already. `failed`: the page didn’t open within the browser’s limits',
      }),
      scriptRan: z.boolean().meta({ description: 'This company’s script ran there' }),
      version: z.string().nullable().meta({ description: 'Of the script that ran' }),
      numbers: z.array(
        z.object({
          number: z.string().meta({ description: 'As the page has it' }),
          shown: z.string().meta({ description: 'What a visitor saw instead' }),
        }),
      ),
      swapped: z.number().meta({ description: 'Places that changed' }),
      errors: z.array(z.string()).meta({ description: 'Of the page’s own scripts, at most five' }),
    })
    .meta({ description: 'What a browser saw that ran the page’s scripts' }),
  messages: z.array(
    z.object({
      code: z.enum(scriptFindings),
      level: z.enum(['error', 'warning', 'info']),
      text: z.string(),
      fix: z.string().meta({ description: 'For the web designer' }),
    }),
  ),
});
export type ScriptCheck = z.infer<typeof scriptCheck>;
