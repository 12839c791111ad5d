import { Anchor, Table } from '@mantine/core';
import { t } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';

/** What it is, how it works here, and more about it or the address of a page. */
type Row = [string, string, string];

/** The table's rows: first telephony, then the services around it. */
const rows = (): Row[] => [...telephonyRows(), ...serviceRows()];

/** What is simulated in this installation, as a table. */
export default function WhatIsSimulated() {
  return (
    <AuthFrame
      wide
      title={t('What is simulated')}
      about={t('In the demo, nothing outside this machine is needed or contacted.')}
      below={
        <Anchor href="/" size="sm">
          {t('Back')}
        </Anchor>
      }
    >
      <Table verticalSpacing="xs" horizontalSpacing={0}>
        <Table.Tbody>
          {rows().map(([what, how, more]) => (
            <Table.Tr key={what}>
              <Table.Th
                scope="row"
                style={{ verticalAlign: 'top', width: '32%', paddingRight: 12, fontWeight: 500 }}
              >
                {what}
              </Table.Th>
              <Table.Td>
                {how}
                {more && (
                  <>
                    {' '}
                    {more.startsWith('/') ? (
                      <Anchor href={more} inherit>
                        {pageLabel(more)}
                      </Anchor>
                    ) : (
                      more
                    )}
                  </>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </AuthFrame>
  );
}

/** What a link to a page of the demo says. */
const pageLabel = (path: string): string =>
  ({
    '/sandbox/slack': t('Open the simulated Slack'),
    '/sandbox/hubspot': t('Open the simulated HubSpot'),
    '/sandbox/salesforce': t('Open the simulated Salesforce'),
    '/sandbox/conversions': t('Open the simulated ad accounts'),
  })[path] ?? t('Open the outbox');

const telephonyRows = (): Row[] => [
  [
    t('Phone network'),
    t('Simulated. Numbers, calls and texts stay on this machine. No one outside can be reached.'),
    t('The virtual handset is the outside world.'),
  ],
  [
    t('Audio'),
    t(
      'Real. Both sides of a call are real audio between your browser, the handset and this server.',
    ),
    t('Recordings and voicemails contain what was said.'),
  ],
  [t('Routing, opt-outs, limits'), t('Real. The same code runs as with a carrier.'), ''],
  [
    t('Porting numbers in'),
    t(
      'Simulated. The sandbox plays the other carrier, one status per minute. The letter and its signature are real.',
    ),
    t('Each request says how it can be tried.'),
  ],
  [
    t('Spam labels'),
    t(
      'Simulated. A handset reports a number as spam in its menu, and then its calls show as spam.',
    ),
    t('Each number says so under About.'),
  ],
  [
    t('SMS registration'),
    t('Simulated. The sandbox plays the reviewers. The forms, checks and limits are real.'),
    t('It decides within a minute.'),
  ],
];

const serviceRows = (): Row[] => [
  [
    t('Real carriers'),
    t(
      'Not connected in the demo. Twilio and Bandwidth are checked against their published documentation and were not tried on a live account.',
    ),
    t(
      'Not verified, because no documentation is published: Bandwidth’s campaigns and port orders, Twilio’s upload of bills before a port, and all of Somos.',
    ),
  ],
  [t('Greetings read aloud'), t('Real speech, created by a program on this machine.'), ''],
  [
    t('Transcripts'),
    t('Simulated. The words are placeholders and say so.'),
    t('A speech engine can be connected.'),
  ],
  [t('Email'), t('Nothing leaves. Messages that would be sent are in the outbox.'), '/dev/outbox'],
  [
    t('HubSpot'),
    t(
      'Simulated. An account with contacts and timelines, whose search lags as the real one does. You see what was logged there.',
    ),
    '/sandbox/hubspot',
  ],
  [
    t('Salesforce'),
    t('Simulated. An org with leads, contacts, tasks and cases. You see what was made there.'),
    '/sandbox/salesforce',
  ],
  [
    t('Ad accounts'),
    t('Simulated. An account that counts conversions by the platform’s rules, each once.'),
    '/sandbox/conversions',
  ],
  [
    t('Connected tools'),
    t(
      'Simulated. Slack and the others are connected without an account, and nothing leaves. The rules, retries and logs are real.',
    ),
    '/sandbox/slack',
  ],
  [
    t('Caddy, the app for individuals'),
    t('Real, over the simulated phone network. Its codes are in the outbox and on the handset.'),
    '/dev/outbox',
  ],
  [t('Cards and invoices'), t('Simulated. No card is charged.'), ''],
  [
    t('People and history'),
    t('Invented. Every person, company and outside number in the demo is fictional.'),
    '',
  ],
];
