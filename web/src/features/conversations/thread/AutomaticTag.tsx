import { IconArrowBackUp } from '@tabler/icons-react';
import type { AutomaticKind } from '#contract/conversations/rules';
import { t } from '#ui';
import css from './ThreadItem.module.css';

/** Which automatic text a message is, shown below its bubble. */
export const AutomaticTag = ({ kind }: { kind: AutomaticKind }) => (
  <p className={css.automatic}>
    <IconArrowBackUp size={13} aria-hidden />
    {tagText(kind)}
  </p>
);
function tagText(kind: AutomaticKind): string {
  switch (kind) {
    case 'stop':
      return t('Automatic opt-out confirmation');
    case 'start':
      return t('Automatic opt-in confirmation');
    case 'keyword':
      return t('Automatic keyword reply');
    case 'help':
      return t('Automatic help reply');
    case 'after_hours':
      return t('Automatic after-hours reply');
    case 'text_back':
      return t('Automatic missed-call text');
  }
}
