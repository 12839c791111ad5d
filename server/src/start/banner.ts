/** The sign-ins of the demo data; all have the same password. */
const demoAccounts = [
  ['owner@demo.test', 'owner'],
  ['administrator@demo.test', 'administrator'],
  ['billing@demo.test', 'billing'],
  ['reporting@demo.test', 'reporting'],
  ['user@demo.test', 'user'],
  ['orgadmin@demo.test', 'organization administrator'],
  ['platform@demo.test', 'platform admin'],
  ['customer@demo.test', 'Caddy customer, at /caddy/'],
] as const;
const demoPassword = 'trunkline-demo';

/** What a new operator needs to know, in one frame. */
export function startBanner(facts: {
  url: string;
  sipPort?: number;
  demo: boolean;
  company: string | null;
  simulated: boolean;
  seconds: number;
}): string {
  const { url, sipPort = 0, demo, company, simulated, seconds } = facts;
  const entries: Array<[string, string] | string | null> = [
    ['Address', url],
    null,
    ...(demo && company
      ? [
          ['Demo company', company] as [string, string],
          ...demoAccounts.map(([email, role], at): [string, string] => [
            at === 0 ? 'People' : '',
            `${email.padEnd(24)} ${role}`,
          ]),
          ['Password', `${demoPassword} (for everyone)`] as [string, string],
          null,
        ]
      : []),
    ...(simulated
      ? [
          ['Handset', `${url}/handset`] as [string, string],
          ...(sipPort
            ? [
                ['SIP phones', `${new URL(url).hostname}:${sipPort} (UDP, TCP, WebSocket)`] as [
                  string,
                  string,
                ],
              ]
            : []),
        ]
      : []),
    ['API reference', `${url}/docs`],
    ...(demo ? [['Outbox', `${url}/dev/outbox`] as [string, string]] : []),
    null,
    ...(simulated ? ['Everything is simulated: no real carrier, card or email is used.'] : []),
    ...(company
      ? []
      : [`No company yet. The first person to sign up at ${url}/signup owns the first one.`]),
    `Ready in ${seconds.toFixed(1)} s. Stop with Ctrl-C.`,
  ];
  const lines = entries.map((entry) =>
    entry === null ? '' : typeof entry === 'string' ? entry : `${entry[0].padEnd(15)}${entry[1]}`,
  );
  const width = Math.max(...lines.map((line) => line.length));
  return [
    `╭${'─'.repeat(width + 4)}╮`,
    ...lines.map((line) => `│  ${line.padEnd(width)}  │`),
    `╰${'─'.repeat(width + 4)}╯`,
  ].join('\n');
}
