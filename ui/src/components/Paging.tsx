import { NativeSelect, Pagination } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { formatNumber } from '../format.ts';
import { t } from '../i18n.ts';
import { pageSizes } from '../page-size.ts';
import css from './DataList.module.css';

/** Paging of a list response. Counts of long lists are capped. */
export interface PageMeta {
  total: number;
  total_is_capped?: unknown;
}
export interface PagingProps {
  page: number;
  perPage: number;
  /** `meta` of the response; undefined while loading. */
  meta: PageMeta | undefined;
  onPage: (page: number) => void;
  /** If given, a control for the number of rows per page is shown (`usePageSize`). */
  onPerPage?: (perPage: number) => void;
}

/** Whether there are more rows than the server counted, so the total is shown as “1,000+”. */
export const isCapped = (meta: PageMeta | undefined): boolean => meta?.total_is_capped === true;
/** The total, or "1,000+" when it is capped. */
export const formatTotal = (meta: PageMeta): string =>
  `${formatNumber(meta.total)}${isCapped(meta) ? '+' : ''}`;

/** The range of rows shown, the total, and links to other pages. `shown`: rows on this page. */
export function Paging({
  page,
  perPage,
  meta: of,
  onPage,
  onPerPage,
  shown,
}: PagingProps & { shown: number }) {
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  const before = (page - 1) * perPage;
  const last = before + shown;
  const counted = of?.total ?? 0;
  // The capped count can be below the current page; after a full page there can be more.
  const capped = isCapped(of) && (counted > last || shown === perPage);
  const total = Math.max(counted, last);
  const pages = Math.max(page, Math.ceil(total / perPage), capped && shown > 0 ? page + 1 : 1);
  return (
    <nav className={css.paging} aria-label={t('Pages')}>
      <span className={css.pageInfo}>
        <span className="tabular">
          {of &&
            shown > 0 &&
            t('{from}–{to} of {total}', {
              from: formatNumber(before + 1),
              to: formatNumber(last),
              total: formatTotal({ total, total_is_capped: capped }),
            })}
        </span>
        {onPerPage && !narrow && total > Math.min(...pageSizes) && (
          <PageSizePicker perPage={perPage} onPerPage={onPerPage} />
        )}
      </span>
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={page}
          onChange={onPage}
          siblings={narrow ? 0 : 1}
          boundaries={1}
          gap={narrow ? 4 : 8}
          getControlProps={(c) => ({
            'aria-label': c === 'next' ? t('Next page') : c === 'previous' ? t('Previous page') : c,
          })}
          getItemProps={(n) => ({ 'aria-label': t('Page {n}', { n }) })}
        />
      )}
    </nav>
  );
}

/** Rows per page. The list's own default is offered even if it is not one of the usual sizes. */
function PageSizePicker({
  perPage,
  onPerPage,
}: {
  perPage: number;
  onPerPage: (perPage: number) => void;
}) {
  const sizes = [...new Set([...pageSizes, perPage])].sort((a, b) => a - b);
  return (
    <NativeSelect
      size="xs"
      aria-label={t('Rows per page')}
      value={String(perPage)}
      data={sizes.map((n) => ({ value: String(n), label: t('{n} per page', { n }) }))}
      onChange={(e) => onPerPage(Number(e.currentTarget.value))}
    />
  );
}
