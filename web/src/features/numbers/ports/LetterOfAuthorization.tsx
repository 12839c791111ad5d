import { useState } from 'react';
import { Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { porting } from '#contract';
import { confirm, Facts, StatusBadge, t, Time, useApiQuery, useApiMutation } from '#ui';
import { SignaturePad } from './SignaturePad.tsx';
import { signedBy } from './labels.ts';
import css from './ports.module.css';

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
  const [how, setHow] = useState('typed');
  const person = `${port.authorized_first_name} ${port.authorized_last_name}`.trim();
  const [name, setName] = useState(person);
  const [drawing, setDrawing] = useState<string | null>(null);
  const [agree, setAgree] = useState(false);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const invalidates = [porting.getPort, porting.portLetter, porting.listPorts];
  const form = (error: { fields: Record<string, string> }): string[] => {
    setWrong(error.fields);
    return Object.keys(error.fields);
  };
  const { mutate: sign, isPending } = useApiMutation(porting.signPortLetter, {
    invalidates,
    onFieldErrors: form,
    success: t('The letter is signed'),
  });
  const send = useApiMutation(porting.sendPortLetter, {
    invalidates,
    onFieldErrors: form,
    success: t('The letter was sent'),
  });
  if (!letter) return null;
  const missing = Object.entries(wrong).filter(
    ([field]) => !['name', 'agree', 'drawing', 'hash'].includes(field),
  );
  const signNow = (): void => {
    setWrong({});
    if (!agree)
      return setWrong({ agree: t('Confirm that you’re authorized to sign for this account.') });
    if (how === 'drawn' && !drawing) return setWrong({ drawing: t('Draw your signature.') });
    void sign({
      params: { id: port.id },
      body: { name, hash: letter.hash, agree: true, drawing: how === 'drawn' ? drawing : null },
    });
  };
  const byPaper = async (): Promise<void> => {
    setWrong({});
    if (
      await confirm({
        title: t('Send the letter to be signed?'),
        confirmLabel: t('Send letter'),
        body: t(
          '{email} receives it as a PDF. Add the signed copy under documents when it comes back.',
          { email: port.authorized_email || t('The authorized person') },
        ),
      })
    )
      void send.mutate({ params: { id: port.id }, body: {} });
  };
  return (
    <Stack gap="md">
      <article className={css.letter} aria-label={letter.title} tabIndex={0}>
        <Facts rows={letter.facts.map(([fact, value]) => [fact, value || '–'] as const)} />
        {letter.paragraphs.map((p) => (
          <p key={p}>{p}</p>
        ))}
      </article>
      {letter.state === 'signed' && (
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
      )}
      {letter.state === 'sent' && (
        <StatusBadge tone="info">
          {t('Sent to {email} to sign on paper', { email: port.authorized_email })}
        </StatusBadge>
      )}
      {mayEdit && letter.state !== 'signed' && (
        <Stack gap="sm">
          {missing.length > 0 && (
            <div className={css.notice} data-tone="danger" role="alert">
              <Text fw={500}>{t('The letter is incomplete')}</Text>
              <ul>
                {missing.map(([field, sentence]) => (
                  <li key={field}>{sentence}</li>
                ))}
              </ul>
              {onFix && (
                <Button size="compact-sm" variant="default" onClick={() => onFix(missing[0]![0])}>
                  {t('Complete it')}
                </Button>
              )}
            </div>
          )}
          <SegmentedControl
            aria-label={t('How to sign')}
            value={how}
            onChange={setHow}
            data={[
              { value: 'typed', label: t('Type your name') },
              { value: 'drawn', label: t('Draw') },
            ]}
          />
          <TextInput
            label={t('Full name')}
            description={t(
              'Only {person} can sign this letter. Your own name is kept with the signature.',
              { person },
            )}
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
            error={wrong['name']}
            styles={
              how === 'typed'
                ? { input: { fontFamily: 'Georgia, serif', fontStyle: 'italic', fontSize: 20 } }
                : {}
            }
          />
          {how === 'drawn' && (
            <div>
              <SignaturePad onChange={setDrawing} />
              {wrong['drawing'] && (
                <Text c="red" fz="sm">
                  {wrong['drawing']}
                </Text>
              )}
            </div>
          )}
          <Checkbox
            checked={agree}
            onChange={(e) => setAgree(e.currentTarget.checked)}
            label={t(
              'I am authorized to sign for this account, and this counts as my signature. The time, IP address and a fingerprint of the text are kept with it.',
            )}
            error={wrong['agree']}
          />
          <Group>
            <Button loading={isPending} onClick={signNow}>
              {t('Sign letter')}
            </Button>
            <Button variant="default" loading={send.isPending} onClick={() => void byPaper()}>
              {t('Sign on paper')}
            </Button>
          </Group>
        </Stack>
      )}
    </Stack>
  );
}
