import { useState } from 'react';
import { Button, Rating, Stack, Text, Textarea } from '@mantine/core';
import { caddy } from '#contract';
import { Section, t, toast, useApiMutation, useApiQuery } from '#ui';
import { appVersion } from '../session.ts';

/** Each version can be rated once. */
export function Review() {
  const { response } = useApiQuery(caddy.listCaddyReviews, {}, { silent: true });
  if (!response) return null;
  const mine = response.data.find(({ version }) => version === appVersion);
  return (
    <Section title={t('Rate Caddy')}>
      {mine ? (
        <Text>
          {t(
            '{n, plural, one {You gave this version # star.} other {You gave this version # stars.}}',
            {
              n: mine.rating,
            },
          )}
        </Text>
      ) : (
        <RatingForm />
      )}
    </Section>
  );
}

function RatingForm() {
  const [rating, setRating] = useState(0);
  const [text, setText] = useState('');
  const { mutate, isPending } = useApiMutation(caddy.reviewCaddy, {
    invalidates: [caddy.listCaddyReviews],
    onSuccess: ({ data }) =>
      data.next === 'support'
        ? toast.neutral(t('Thank you. Tell us above what we can do better.'))
        : toast.success(t('Thank you')),
  });
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        const said = text.trim();
        void mutate({
          body: { rating, store: 'web', version: appVersion, ...(said && { text: said }) },
        });
      }}
    >
      <Stack gap="sm">
        <Rating
          size="xl"
          value={rating}
          onChange={setRating}
          aria-label={t('Rating')}
          getSymbolLabel={(n) => t('{n, plural, one {# star} other {# stars}}', { n })}
        />
        {rating > 0 && (
          <>
            <Textarea
              label={t('Anything to add?')}
              autosize
              minRows={2}
              maxLength={4000}
              value={text}
              onChange={(e) => setText(e.currentTarget.value)}
            />
            <Button type="submit" loading={isPending}>
              {t('Send rating')}
            </Button>
          </>
        )}
      </Stack>
    </form>
  );
}
