import { Anchor, Table } from '@mantine/core';
import { t } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';

/** The truth about this installation, in one table. */
export default function WhatIsSimulated() {
  const rows: [string, string, string][] = [
    [
      t('Telephone network'),
      t('Simulated. Numbers, calls and texts stay on this machine; nobody outside can be reached.'),
      t('The virtual handset is the outside world.'),
    ],
    [
      t('Sound'),
      t(
        'Real. Both sides of a call are real audio between your browser, the handset and this server.',
      ),
      t('Recordings and voicemails hold what was said.'),
    ],
    [
      t('Routing, opt-outs, limits'),
      t('Real. The same code decides that would decide with a carrier.'),
      '',
    ],
    [
      t('Moving numbers here'),
      t(
        'Simulated. The sandbox plays the carrier you leave, a state a minute. The letter and its signature are real.',
      ),
      t('Each request says how it can be tried.'),
    ],
    [
      t('Registering texting'),
      t('Simulated. The sandbox plays the reviewers; the papers, checks and limits are real.'),
      t('It decides within a minute.'),
    ],
    [
      t('Real carriers'),
      t(
        'Not connected in the demo. Twilio and Bandwidth are checked against what they publish and were not tried on a live account.',
      ),
      t(
        'Unverified, because nothing is published to check against: Bandwidth’s campaigns and port orders, Twilio’s upload of bills before a port, and all of Somos.',
      ),
    ],
    [t('Greetings read aloud'), t('Real speech, made by a program on this machine.'), ''],
    [
      t('Transcripts'),
      t('Simulated. The words are placeholders and say so.'),
      t('A speech engine can be connected.'),
    ],
    [t('E-mail'), t('Nothing leaves. What would be sent stands in the outbox.'), '/dev/outbox'],
    [t('Cards and invoices'), t('Simulated. No card is charged.'), ''],
    [
      t('People and history'),
      t('Invented. Every person, company and outside number in the demo is fictional.'),
      '',
    ],
  ];
  return (
    <AuthFrame
      wide
      title={t('What is simulated')}
      about={t(
        'In the demo nothing outside this machine is needed, and nothing outside is touched.',
      )}
      below={
        <Anchor href="/" size="sm">
          {t('Back')}
        </Anchor>
      }
    >
      <Table verticalSpacing="xs" horizontalSpacing={0}>
        <Table.Tbody>
          {rows.map(([what, how, more]) => (
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
                        {t('Open the outbox')}
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
