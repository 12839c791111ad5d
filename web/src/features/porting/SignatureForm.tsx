import { useState } from 'react';
import { Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import type { porting } from '#contract';
import { t } from '#ui';
import { SignaturePad } from './SignaturePad.tsx';
import { useLetterSigning } from './use-letter-signing.ts';
import css from './ports.module.css';

const ownFields = ['name', 'agree', 'drawing', 'hash'];
const handwriting = { fontFamily: 'Georgia, serif', fontStyle: 'italic', fontSize: 20 };

interface SignatureFormProps {
  port: porting.PortRequest;
  hash: string;
  onFix: ((field: string) => void) | undefined;
}

/** Signs the letter by a typed or drawn name, or sends it out to be signed on paper. */
export function SignatureForm({ port, hash, onFix }: SignatureFormProps) {
  const [how, setHow] = useState('typed');
  const person = `${port.authorized_first_name} ${port.authorized_last_name}`.trim();
  const [name, setName] = useState(person);
  const [drawing, setDrawing] = useState<string | null>(null);
  const [agree, setAgree] = useState(false);
  const { wrong, signNow, sendForPaper, isSigning, isSending } = useLetterSigning(port, hash);
  const missing = Object.entries(wrong).filter(([field]) => !ownFields.includes(field));
  const isDrawn = how === 'drawn';
  return (
    <Stack gap="sm">
      {missing.length > 0 && <MissingDetails missing={missing} onFix={onFix} />}
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
        styles={isDrawn ? {} : { input: handwriting }}
      />
      {isDrawn && (
        <div>
          <SignaturePad onChange={setDrawing} />
          {wrong['drawing'] && (
            <Text c="red" fz="sm">
              {wrong['drawing']}
            </Text>
          )}
        </div>
      )}
      <Consent agree={agree} setAgree={setAgree} error={wrong['agree']} />
      <Group>
        <Button loading={isSigning} onClick={() => signNow({ isDrawn, name, drawing, agree })}>
          {t('Sign letter')}
        </Button>
        <Button variant="default" loading={isSending} onClick={() => void sendForPaper()}>
          {t('Sign on paper')}
        </Button>
      </Group>
    </Stack>
  );
}

function Consent({
  agree,
  setAgree,
  error,
}: {
  agree: boolean;
  setAgree: (agree: boolean) => void;
  error: string | undefined;
}) {
  return (
    <Checkbox
      checked={agree}
      onChange={(e) => setAgree(e.currentTarget.checked)}
      label={t(
        'I am authorized to sign for this account, and this counts as my signature. The time, IP address and a fingerprint of the text are kept with it.',
      )}
      error={error}
    />
  );
}

/** Details of the request without which the letter can't be signed. */
function MissingDetails({
  missing,
  onFix,
}: {
  missing: [field: string, sentence: string][];
  onFix: ((field: string) => void) | undefined;
}) {
  const first = missing[0]?.[0];
  return (
    <div className={css.notice} data-tone="danger" role="alert">
      <Text fw={500}>{t('The letter is incomplete')}</Text>
      <ul>
        {missing.map(([field, sentence]) => (
          <li key={field}>{sentence}</li>
        ))}
      </ul>
      {onFix && first !== undefined && (
        <Button size="compact-sm" variant="default" onClick={() => onFix(first)}>
          {t('Complete it')}
        </Button>
      )}
    </div>
  );
}
