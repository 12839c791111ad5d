import { Alert, Anchor, Stack, Text } from '@mantine/core';
import type { Answer, phrases } from '#contract';
import { partyName } from '#contract/party';
import { t, Time } from '#ui';
import { Highlighted } from '../record/Highlighted.tsx';

export type Found = Answer<typeof phrases.tryPhraseList>['data'];

/** The calls that a dry run found, newest first, with the passages that matched. */
export const FoundCalls = ({ found }: { found: Found }) => (
  <Stack gap="xs">
    <Alert color="blue" role="status">
      {t(
        '{n, plural, =0 {No call of the last 30 days matches.} one {# call of the last 30 days matches.} other {# calls of the last 30 days match.}}',
        { n: found.total },
      )}
    </Alert>
    {found.is_partial && (
      <Text size="sm" c="dimmed">
        {t('There were more calls: only the latest were looked at.')}
      </Text>
    )}
    {found.calls.map(({ call, highlights }) => (
      <div key={call.id}>
        <Anchor href={`/calls/${call.id}`} target="_blank" size="sm">
          {call.contact?.name ||
            partyName(call.outbound ? call.to : call.from, t('Withheld number'))}
        </Anchor>{' '}
        <Text span size="sm" c="dimmed">
          <Time at={call.started_at} as="instant" />
        </Text>
        {highlights.map((one, i) => (
          <Text key={i} size="sm">
            <Highlighted text={one.snippet} marks={one.marks} />
          </Text>
        ))}
      </div>
    ))}
  </Stack>
);
