import { z } from 'zod';
import { operation } from '../../operation.ts';
import { flag, id, one } from '../../schemas.ts';
import { formSelectors, script, scriptCheck, type Script } from '../script-schemas.ts';

const integrity = 'sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC';
const address = 'https://phones.example.com/t/1-kV3o8q0bXw2ZpA';
const example: Script = {
  companyKey: '1-kV3o8q0bXw2ZpA',
  version: '1.0.0',
  isEnabled: true,
  forms: {
    isEnabled: true,
    selectors: ['#appointment'],
    snippet: `<script async src="${address}/1/forms.js"></script>`,
  },
  firstParty: { host: null, target: 'phones.example.com' },
  snippet: `<script async src="${address}/1.0.0/dni.js" integrity="${integrity}" crossorigin="anonymous"></script>`,
  snippetLatest: `<script async src="${address}/1/dni.js"></script>`,
  gtmSnippet: '<script>(function (d) { … })(document);</script>',
  gtmTemplate: { fileName: 'template.tpl', content: '___INFO___ …' },
  wordpress: {
    fileName: 'trunkline-call-tracking.zip',
    content: '<?php …',
    zip: 'UEsDBBQACAgIAAAA…',
  },
  nextjs: `<Script src="${address}/1/dni.js" strategy="afterInteractive" />`,
  shopify: `<script async src="${address}/1/dni.js"></script>`,
  installed: {
    lastSeenAt: '2026-11-21T09:15:04.000Z',
    domains: [
      {
        host: 'www.harbordental.example',
        lastSeenAt: '2026-11-21T09:15:04.000Z',
        version: '1.0.0',
        swapped: 4,
        swappedAt: '2026-11-21T09:15:04.000Z',
        firstPartyHost: null,
        firstPartyAt: null,
      },
    ],
  },
  versions: [{ version: '1.0.0', at: '2026-11-26', integrity, notes: 'The first version.' }],
  changelogUrl: 'https://phones.example.com/t/changelog.json',
};
const inCompany = z.object({ companyId: id });

export const getScript = operation({
  summary: 'The script for the company’s websites, ready to copy, and where it was seen',
  params: inCompany,
  answer: one(script),
  example: { params: { companyId: 1 }, answer: { data: example } },
});

export const updateScript = operation({
  summary:
    'Switches the script off or on, on all of the company’s websites at once, and says which forms become leads',
  params: inCompany,
  body: z.object({
    isEnabled: flag.optional(),
    formsEnabled: flag.optional().meta({
      description: 'Events named `form` become leads: in a conversation, the live feed and reports',
    }),
    formSelectors: formSelectors.optional(),
    firstPartyHost: z
      .string()
      .trim()
      .toLowerCase()
      .max(253, 'At most 253 characters.')
      .regex(
        /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.){2,}[a-z]{2,63}$/,
        'Enter a subdomain, such as phones.example.com.',
      )
      .nullable()
      .optional()
      .meta({
        description: 'A subdomain of a pool’s website from which its pages load the script',
      }),
  }),
  answer: one(script),
  example: {
    params: { companyId: 1 },
    body: { isEnabled: false },
    answer: { data: { ...example, isEnabled: false } },
  },
});

export const verifyScript = operation({
  summary:
    'Looks at a public page as a visitor’s browser would get it: is the script there, and does it find the numbers',
  limit: 'pages',
  reads: true,
  params: inCompany,
  body: z.object({
    url: z
      .string()
      .trim()
      .min(1, 'Enter an address.')
      .max(2048, 'At most 2,048 characters.')
      .meta({ description: 'https:// is added where no scheme is given' }),
  }),
  answer: one(scriptCheck),
  example: {
    params: { companyId: 1 },
    body: { url: 'www.harbordental.example/contact' },
    answer: {
      data: {
        url: 'https://www.harbordental.example/contact',
        finalUrl: 'https://www.harbordental.example/contact',
        httpStatus: 200,
        checkedAt: '2026-11-21T09:15:04.000Z',
        result: 'warning',
        scriptFound: true,
        companyKeyMatches: true,
        scriptCount: 2,
        location: 'head',
        version: '1.0.0',
        domainAllowed: true,
        seenLiveAt: '2026-11-21T09:15:04.000Z',
        targets: [
          {
            number: '+12125552300',
            occurrences: 3,
            formats: ['(###) ###-####'],
            willSwap: true,
            reason: null,
          },
        ],
        telLinks: 1,
        otherTrackers: [],
        cspBlocks: false,
        browser: {
          state: 'checked',
          scriptRan: true,
          version: '1.0.0',
          numbers: [{ number: '+12125552300', shown: '+12125552317' }],
          swapped: 3,
          errors: [],
        },
        messages: [
          {
            code: 'duplicate_script',
            level: 'warning',
            text: 'The script is on this page 2 times.',
            fix: 'Keep one of the tags and delete the others.',
          },
        ],
      },
    },
  },
});
