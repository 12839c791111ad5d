import { Button, Switch, Textarea } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { formatDuration, formatPhoneNumber, t } from '#ui';
import { CaptionList } from './CaptionList.tsx';
import { InCall } from './InCall.tsx';
import { endReasonLabel } from './labels.ts';
import { updatePhone, type HandsetPhone } from './phones.ts';
import type { CompanyNumber } from './sandbox.ts';
import type { HandsetLine } from './use-handset-line.ts';
import css from './HandsetCall.module.css';

/** Places and takes calls: the call's state, and what this phone has heard so far. */
export function HandsetCall({
  phone,
  line,
  known,
}: {
  phone: HandsetPhone;
  line: HandsetLine;
  known: readonly CompanyNumber[];
}) {
  const now = line.line;
  const nameOf = (number: string): string => {
    const k = known.find((each) => each.number === number);
    return k ? k.label || k.company : formatPhoneNumber(number);
  };
  if (now) return <InCall phone={phone} line={line} now={now} nameOf={nameOf} />;
  const { ended } = line;
  const target = known.find((k) => k.number === phone.with);
  return (
    <div className={css.idle}>
      <div className={css.top}>
        <CallSummary phone={phone} ended={ended} target={target} nameOf={nameOf} />
        {line.problem && (
          <p className={css.problem} role="alert">
            {line.problem}
          </p>
        )}
      </div>
      {ended ? (
        <CaptionList heard={ended.captions} />
      ) : (
        <div className={css.set}>
          <Textarea
            label={t('Say this when connected')}
            description={t(
              'A synthetic voice says it when someone answers, or after the beep. Leave empty to talk yourself.',
            )}
            minRows={2}
            maxRows={4}
            maxLength={500}
            value={phone.says}
            onChange={(e) => updatePhone(phone.number, { says: e.currentTarget.value })}
          />
          <Microphone line={line} />
        </div>
      )}
      <Button
        fullWidth
        size="md"
        radius="xl"
        color="green.7"
        leftSection={<IconPhone size={18} aria-hidden />}
        disabled={!phone.with || line.snapshot?.connection !== 'ready'}
        onClick={() => void line.dial(phone.with)}
      >
        {ended ? t('Call again') : t('Call')}
      </Button>
    </div>
  );
}

/** How the last call ended; before any call, whom this phone would call. */
function CallSummary({
  phone,
  ended,
  target,
  nameOf,
}: {
  phone: HandsetPhone;
  ended: HandsetLine['ended'];
  target: CompanyNumber | undefined;
  nameOf: (number: string) => string;
}) {
  if (ended)
    return (
      <>
        <p className={css.big}>{t('Call ended')}</p>
        <p className={css.quiet} role="status">
          {endReasonLabel(ended.because, ended.line)}
          {ended.line.answeredAt
            ? ` · ${formatDuration((Date.now() - ended.line.answeredAt) / 1000)}`
            : ''}
        </p>
      </>
    );
  const number = phone.with ? formatPhoneNumber(phone.with) : t('Choose a company number above.');
  const detail = target ? `${target.company} · ${formatPhoneNumber(target.number)}` : number;
  return (
    <>
      <p className={css.big}>{phone.with ? nameOf(phone.with) : t('Who do you want to call?')}</p>
      <p className={css.quiet}>{detail}</p>
    </>
  );
}

/** Why a synthetic voice speaks, or what the browser is going to ask. */
function microphoneHint(reason: string | null | undefined): string {
  if (reason === 'none') return t('No microphone found. A synthetic voice speaks instead.');
  if (reason === 'refused')
    return t('Microphone access was blocked. A synthetic voice speaks instead.');
  return t('Your browser asks once. Without it, a synthetic voice speaks for you.');
}

function Microphone({ line }: { line: HandsetLine }) {
  const mic = line.snapshot?.microphone;
  const synthetic = mic?.kind === 'synthetic';
  const reason = synthetic ? mic.because : null;
  return (
    <Switch
      label={t('Use my microphone')}
      description={microphoneHint(reason)}
      checked={!synthetic}
      onChange={(e) => line.useMicrophone(e.currentTarget.checked)}
    />
  );
}
