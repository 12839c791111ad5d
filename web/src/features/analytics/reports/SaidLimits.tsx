import { outcomeTags } from '#contract/calls/rules';
import { sentiments } from '#contract/analytics/call-analytics/rules';
import { t } from '#ui';
import { moodName, outcomeTagName, PhraseFilter } from '../../calls/index.ts';
import { Choice } from './Choice.tsx';

interface Said {
  phrases: string;
  mood: string;
  tag: string;
}

/** Only calls in which a phrase was said, of a mood, or with a result. */
export const SaidLimits = ({
  filters,
  set,
  hasPhrases = true,
}: {
  filters: Said;
  set: (choices: Partial<Said>) => void;
  /** Phrase lists belong to one company. */
  hasPhrases?: boolean;
}) => (
  <>
    {hasPhrases && (
      <PhraseFilter value={filters.phrases} onChange={(phrases) => set({ phrases })} />
    )}
    <Choice
      label={t('Sentiment')}
      value={filters.mood}
      onChange={(mood) => set({ mood })}
      options={sentiments.map((one) => [one, moodName(one)])}
    />
    <Choice
      label={t('Result')}
      width={160}
      value={filters.tag}
      onChange={(tag) => set({ tag })}
      options={outcomeTags.map((one) => [one, outcomeTagName(one)])}
    />
  </>
);
