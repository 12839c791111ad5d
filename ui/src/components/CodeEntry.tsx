import { useState } from 'react';
import { Alert, Button, Group, PinInput, Stack } from '@mantine/core';
import { t } from '../i18n.ts';
import { useNow } from '../use-now.ts';

interface CodeEntryProps {
  /** What the button does with the code, such as "Create account". */
  submitLabel: string;
  submitColor?: string;
  /** What was wrong with the last code. */
  errorText?: string | null | undefined;
  isPending: boolean;
  /** Gets the six digits, as soon as the last one is typed. */
  onSubmit: (code: string) => void;
}

/** The field for a code that was sent; phones offer to fill in one they received. */
export function CodeEntry({
  submitLabel,
  submitColor,
  errorText,
  isPending,
  onSubmit,
}: CodeEntryProps) {
  const [code, setCode] = useState('');
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        onSubmit(code);
      }}
      noValidate
    >
      <Stack gap="sm">
        {errorText && (
          <Alert color="red" role="alert">
            {errorText}
          </Alert>
        )}
        <PinInput
          length={6}
          type="number"
          oneTimeCode
          autoFocus
          value={code}
          onChange={setCode}
          onComplete={onSubmit}
          aria-label={t('Code')}
          getInputProps={(i) => ({ 'aria-label': t('Digit {n}', { n: i + 1 }) })}
        />
        <Button
          type="submit"
          loading={isPending}
          disabled={code.length < 6}
          {...(submitColor && { color: submitColor })}
        >
          {submitLabel}
        </Button>
      </Stack>
    </form>
  );
}

interface ResendCodeProps {
  /** From when another code can be sent, in ms since 1970. */
  at: number;
  isPending: boolean;
  onResend: () => void;
  /** Without it the address can't be changed here. */
  onChangeAddress?: () => void;
}

/** Below a code: sends it again, or goes back to where it is sent. */
export function ResendCode({ at, isPending, onResend, onChangeAddress }: ResendCodeProps) {
  const left = Math.ceil((at - useNow(1000)) / 1000);
  return (
    <Group gap="xs">
      <Button
        variant="subtle"
        size="compact-sm"
        disabled={left > 0 || isPending}
        onClick={onResend}
      >
        {left > 0 ? t('Send again in {left} s', { left }) : t('Send again')}
      </Button>
      {onChangeAddress && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onChangeAddress}>
          {t('Change address')}
        </Button>
      )}
    </Group>
  );
}
