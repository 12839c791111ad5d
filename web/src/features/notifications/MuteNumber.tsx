import { Button, Switch, Table } from '@mantine/core';
import { Section, t, usePermission } from '#ui';
import { allChannels, isMuted, isFullyMuted, useMuteRules, type Channel } from './mute-rules.ts';
import css from './MuteNumber.module.css';

const channels: [Channel, string][] = [
  ['app', 'In the app'],
  ['push', 'Push'],
  ['email', 'Email'],
];
const events: [string, string][] = [
  ['call', 'Calls'],
  ['missed', 'Missed calls'],
  ['voicemail', 'Voicemails'],
  ['message', 'Texts'],
  ['fax', 'Faxes'],
];

/** The notifications of a number for the signed-in user; other users are not affected. */
export function MuteNumber({ numberId }: { numberId: number }) {
  const may = usePermission('numbers.view');
  const { blocks, known, working, set } = useMuteRules();
  if (!may || !known) return null;
  const silent = isFullyMuted(blocks, numberId);
  return (
    <Section
      title={t('Notifications for you')}
      about={t('What you’re notified about for this number. Teammates choose their own.')}
      action={
        <Button
          variant="default"
          loading={working}
          onClick={() => void set([numberId], allChannels, !silent)}
        >
          {silent ? t('Unmute this number') : t('Mute this number for me')}
        </Button>
      }
    >
      <div className={css.scroll}>
        <Table className={css.table ?? ''} withRowBorders={false} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th />
              {channels.map(([key, label]) => (
                <Table.Th key={key}>{t(label)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {events.map(([event, label]) => (
              <Table.Tr key={event}>
                <Table.Th scope="row" fw={400}>
                  {t(label)}
                </Table.Th>
                {channels.map(([channel, name]) => (
                  <Table.Td key={channel}>
                    <Switch
                      size="sm"
                      aria-label={t('{event}: {channel}', { event: t(label), channel: t(name) })}
                      disabled={working}
                      checked={!isMuted(blocks, numberId, channel, event)}
                      onChange={(e) =>
                        void set([numberId], [channel], !e.currentTarget.checked, [event])
                      }
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Section>
  );
}
