import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { t } from '#ui';
import { emoji } from './emoji.ts';
import css from './EmojiPicker.module.css';

/** The emoji picker's content: a search field and its results. Enter inserts the first. */
export function EmojiGrid({ onPick }: { onPick: (emoji: string) => void }) {
  const [word, setWord] = useState('');
  const found = emoji.filter(([, words]) => words.includes(word.trim().toLowerCase()));
  return (
    <>
      <TextInput
        autoFocus
        size="xs"
        aria-label={t('Find emoji')}
        placeholder={t('Find emoji')}
        value={word}
        onChange={(e) => setWord(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Enter' && found[0]) {
            e.preventDefault();
            onPick(found[0][0]);
          }
        }}
      />
      <div className={css.grid}>
        {found.map(([e, words]) => (
          <button
            key={e}
            type="button"
            className={css.one}
            aria-label={words}
            title={words}
            onClick={() => onPick(e)}
          >
            {e}
          </button>
        ))}
      </div>
      {found.length === 0 && <p className={css.none}>{t('No results')}</p>}
    </>
  );
}
