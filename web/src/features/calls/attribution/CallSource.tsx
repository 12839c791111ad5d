import { calls, type tracking } from '#contract';
import { Facts, Section, t, Time, useApiQuery } from '#ui';
import { evidenceText, matchSentence, pagesText, pageText } from './labels.ts';
import { CallCredits } from './CallCredits.tsx';
import css from './CallSource.module.css';

/**
 * Where a call to a tracking number came from, how sure that is and why, and the visitor’s way to
 * it. Nothing for other calls.
 */
export function CallSource({ call }: { call: calls.Call }) {
  const { response } = useApiQuery(
    calls.callAttribution,
    { params: { id: call.id } },
    { enabled: call.source !== null, silent: true },
  );
  if (!call.source) return null;
  const { label, medium, campaign, keyword, landingUrl, confidence, matchLabel } = call.source;
  const found = response?.data;
  const pages = found?.touches.find(({ isMatched }) => isMatched)?.pages ?? 0;
  return (
    <Section title={t('Source')}>
      <Facts
        rows={[
          [t('Source'), label],
          medium !== null && [t('Medium'), medium],
          campaign !== null && [t('Campaign'), campaign],
          keyword !== null && [t('Keyword'), keyword],
          landingUrl !== null && [t('Page'), pageText(landingUrl)],
          pages > 0 && [t('Visit'), pagesText(pages)],
          Boolean(found?.pool) && [t('Tracking pool'), found?.pool?.name],
          matchLabel !== 'number_level' && [t('Certainty'), t('{n}%', { n: confidence })],
        ]}
      />
      <p className={css.sentence}>{matchSentence(matchLabel, call.source.key !== 'unknown')}</p>
      {found && <Reasons found={found} />}
    </Section>
  );
}

function Reasons({ found }: { found: tracking.Attribution }) {
  const { touches, candidates, evidence } = found;
  return (
    <>
      {evidence.length > 0 && (
        <Visits title={t('Why')}>
          {evidence.map((one, i) => (
            <Visit key={i} at={one.at}>
              {evidenceText(one)}
            </Visit>
          ))}
        </Visits>
      )}
      {candidates.length > 1 && (
        <Visits title={t('Visits that fit')}>
          {candidates.map((one) => (
            <Visit key={one.leaseId} at={one.startedAt}>
              <b>{one.source.label}</b> {t('{n}%', { n: one.share })} <Page url={one.landingUrl} />
            </Visit>
          ))}
        </Visits>
      )}
      {touches.length > 1 && <CallCredits found={found} />}
    </>
  );
}

const Page = ({ url }: { url: string | null }) =>
  url === null ? null : <span className={css.quiet}>{pageText(url)}</span>;

const Visits = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <>
    <h3 className={css.heading}>{title}</h3>
    <ul className={css.visits}>{children}</ul>
  </>
);

const Visit = ({ at, children }: { at: string | null; children: React.ReactNode }) => (
  <li>
    <span className={css.what}>{children}</span>
    <span className={css.when}>{at !== null && <Time at={at} as="moment" />}</span>
  </li>
);
