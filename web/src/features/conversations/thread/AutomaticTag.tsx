import { IconArrowBackUp } from '@tabler/icons-react';
import type { AutomaticKind } from '#contract/conversations';
import { t } from '#ui';
import css from './ThreadItem.module.css';

/** What a text that nobody wrote was: shown under the bubble. */
export const AutomaticTag = ({ kind }: { kind: AutomaticKind }) => (
  <p className={css.automatic}>
    <IconArrowBackUp size={13} aria-hidden />
    {tagText(kind)}
  </p>
);
function tagText(kind: AutomaticKind): string {
  switch (kind) {
    case 'stop':
      return t('Opt-out, confirmed automatically');
    case 'start':
      return t('Opt-in, confirmed automatically');
    case 'keyword':
      return t('Keyword, answered automatically');
    case 'help':
      return t('Help, answered automatically');
    case 'after_hours':
      return t('Closed, answered automatically');
    case 'text_back':
      return t('Missed call, texted back automatically');
  }
}
