import { Button, Group, Stack, Text } from '@mantine/core';
import { porting, type Answer } from '#contract';
import { Facts, StatusBadge, t, Time, useApiQuery } from '#ui';
import { signedBy } from './labels.ts';
import { SignatureForm } from './SignatureForm.tsx';
import css from './ports.module.css';

type Letter = Answer<typeof porting.portLetter>['data'];

/**
 * The letter of authorization: its text, signing it on screen, or sending it out to be signed on
 * paper.
 */
export function LetterOfAuthorization({
  port,
  mayEdit,
  onFix,
}: {
  port: porting.PortRequest;
  mayEdit: boolean;
  onFix?: (field: string) => void;
}) {
  const { response } = useApiQuery(porting.portLetter, { params: { id: port.id } });
  const letter = response?.data;
  if (!letter) return null;
  return (
    <Stack gap="md">
      <article className={css.letter} aria-label={letter.title} tabIndex={0}>
        <Facts rows={letter.facts.map(([fact, value]) => [fact, value || '–'] as const)} />
        {letter.paragraphs.map((p) => (
          <p key={p}>{p}</p>
        ))}
      </article>
      {letter.state === 'signed' && <SignedLetter letter={letter} />}
      {letter.state === 'sent' && (
        <StatusBadge tone="info">
          {t('Sent to {email} to sign on paper', { email: port.authorized_email })}
        </StatusBadge>
      )}
      {mayEdit && letter.state !== 'signed' && (
        <SignatureForm port={port} hash={letter.hash} onFix={onFix} />
      )}
    </Stack>
  );
}

function SignedLetter({ letter }: { letter: Letter }) {
  return (
    <Group gap="md">
      <StatusBadge tone="success">{signedBy(letter)}</StatusBadge>
      <Text fz="sm" c="dimmed">
        {letter.signed_at && <Time at={letter.signed_at} as="instant" />}
        {letter.valid_until && (
          <>
            , {t('valid until')} <Time at={letter.valid_until} as="date" />
          </>
        )}
      </Text>
      {letter.file && (
        <Button
          component="a"
          href={`${letter.file}&download=1`}
          variant="default"
          size="compact-md"
        >
          {t('Download PDF')}
        </Button>
      )}
    </Group>
  );
}
