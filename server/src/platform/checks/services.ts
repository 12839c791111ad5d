import { isWorking, type AccountState } from '../../gateways/carrier-accounts.ts';
import type { Settings } from '../settings.ts';
import { needed, ok, problem, type Finding } from './finding.ts';

/** Whether email can be sent at all. */
export function mailSettingsFindings({
  sendsMail,
  mailFrom,
  production,
}: Pick<Settings, 'sendsMail' | 'mailFrom' | 'production'>): Finding[] {
  if (!sendsMail)
    return [
      needed(
        production,
        'This server sends no email, so invitations, password resets and notifications don’t arrive.',
        'Set SMTP_URL and MAIL_FROM, and restart.',
      ),
    ];
  return /\.test>?$/.test(mailFrom)
    ? [
        problem(
          `Email is from ${mailFrom}, which isn’t yours.`,
          'Set MAIL_FROM to an address of your domain, and restart.',
        ),
      ]
    : [];
}

/** Whether carriers accept our accounts and can reach us. */
export function carrierFindings(
  { carriers, publicUrl, production }: Pick<Settings, 'carriers' | 'publicUrl' | 'production'>,
  accounts: readonly AccountState[],
): Finding[] {
  const { protocol, hostname } = new URL(publicUrl);
  const isLocal =
    /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[?::1)/.test(hostname);
  const names = accounts.map(({ carrier }) => carrier).join(' and ');
  return [
    ...(carriers.includes('sandbox')
      ? [
          needed(
            production,
            'The simulated carrier is connected: its calls and texts reach no one, and anyone can use it.',
            'Set CARRIER to your carrier (docs/carriers), and restart. For a trial, leave it.',
          ),
        ]
      : []),
    ...(accounts.length && (protocol !== 'https:' || isLocal)
      ? [
          problem(
            `PUBLIC_URL is ${publicUrl}, where ${names} can’t send webhooks for calls and texts.`,
            'Set it to the https address carriers reach this server by.',
          ),
        ]
      : []),
    ...accounts.map(({ carrier, state, sentence }) => {
      if (sentence === null) return ok(`${carrier} accepts our account.`);
      if (isWorking(state)) return ok(sentence);
      return problem(
        sentence,
        state === 'refused'
          ? `Check the account at ${carrier} and its settings here (docs/carriers).`
          : 'Try again when it is reachable.',
      );
    }),
  ];
}
