import { useState } from 'react';
import { Button, Checkbox, Stack, Switch, Text } from '@mantine/core';
import { features, type FeatureName } from '#contract/numbers/features/rules';
import { Modal, Section, t } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import css from './FeatureList.module.css';

/** One feature as a list shows it. */
export interface FeatureState {
  feature: FeatureName;
  enabled: boolean;
  /** What else to say of it, such as where it was turned off; empty: nothing. */
  note: string;
  /** Why it can’t be changed here; null: it can. */
  locked: string | null;
}
type Toggle = (
  feature: FeatureName,
  said: { enabled: boolean; enableForExistingNumbers?: boolean },
) => Promise<unknown>;

/** Switches of features, each with what stops while it is off. What isn’t built yet is left out. */
export function FeatureList({
  states,
  toggle,
  mayEdit,
}: {
  states: readonly FeatureState[];
  toggle: Toggle;
  mayEdit: boolean;
}) {
  const [asking, setAsking] = useState<FeatureState | null>(null);
  const shown = states.filter(({ feature }) => !('upcoming' in features[feature]));
  return (
    <Section>
      <Stack gap="md">
        {shown.map((state) => (
          <FeatureRow
            key={state.feature}
            state={state}
            disabled={!mayEdit || state.locked !== null}
            ask={() => setAsking(state)}
          />
        ))}
      </Stack>
      {asking && <Ask state={asking} toggle={toggle} close={() => setAsking(null)} />}
    </Section>
  );
}

function FeatureRow(props: { state: FeatureState; disabled: boolean; ask: () => void }) {
  const { feature, enabled, note, locked } = props.state;
  const { label, whenOff } = features[feature];
  return (
    <div className={css.row}>
      <div>
        <Text fw={500}>{t(label)}</Text>
        <Text fz="sm" c="dimmed">
          {enabled ? t('When off: {what}', { what: t(whenOff) }) : t(whenOff)}
        </Text>
        {(locked ?? note) && (
          <Text fz="sm" c="dimmed">
            {locked ?? note}
          </Text>
        )}
      </div>
      <Switch
        aria-label={t(label)}
        checked={enabled}
        disabled={props.disabled}
        onChange={props.ask}
      />
    </div>
  );
}

function Ask({ state, toggle, close }: { state: FeatureState; toggle: Toggle; close: () => void }) {
  const { feature, enabled } = state;
  const rule = features[feature];
  const [onNumbers, setOnNumbers] = useState(false);
  const [busy, setBusy] = useState(false);
  const label = t(rule.label);
  const save = async (): Promise<void> => {
    setBusy(true);
    const numbers = onNumbers && { enableForExistingNumbers: true };
    await toggle(feature, { enabled: !enabled, ...numbers });
    close();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={
        enabled
          ? t('Turn off {feature}?', { feature: label })
          : t('Turn on {feature}?', { feature: label })
      }
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        {enabled && <Text>{t(rule.whenOff)}</Text>}
        {!enabled && 'numbers' in rule && (
          <Checkbox
            label={t('Turn it on for existing numbers as well')}
            checked={onNumbers}
            onChange={(event) => setOnNumbers(event.currentTarget.checked)}
          />
        )}
        <DialogFooter onCancel={close}>
          <Button {...(enabled && { color: 'red' })} loading={busy} onClick={() => void save()}>
            {enabled ? t('Turn off') : t('Turn on')}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
