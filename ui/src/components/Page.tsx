import { useEffect, useRef } from 'react';
import { Skeleton, Title } from '@mantine/core';
import { useTitle } from '../title.ts';
import css from './Page.module.css';

interface PageProps {
  title: string;
  /** The browser tab's title, where the heading alone is ambiguous: "Calls – Activity". */
  tabTitle?: string;
  /** One line under the title, where the title alone does not explain the page. */
  description?: React.ReactNode;
  /** The one primary action, on the right. */
  action?: React.ReactNode;
  /** One line of filters, usually a <FilterBar>. */
  filters?: React.ReactNode;
  /** Beside the title: a status or count. */
  aside?: React.ReactNode;
  /** A link back to the list. */
  back?: { href: string; label: string };
  /**
   * `fill`: the content takes the remaining height and scrolls (lists). `read`: one column for
   * forms and text.
   */
  layout?: 'fill' | 'flow' | 'read';
  /** The head stays in sight: for long forms whose actions are in it. Not on phones. */
  keepsHead?: boolean;
  children?: React.ReactNode;
}

/** A screen: title, primary action, filters and content. */
export function Page({
  title,
  tabTitle = title,
  description: about,
  action,
  filters,
  aside: beside,
  back,
  layout = 'flow',
  keepsHead = false,
  children,
}: PageProps) {
  useTitle(tabTitle);
  const page = useRef<HTMLDivElement>(null);
  // Tabs wider than the screen are scrolled to the open one.
  const shown = useRef('');
  useEffect(() => {
    const entries = [
      ...(page.current?.querySelectorAll<HTMLElement>(
        'nav [aria-current="page"], [role="tab"][aria-selected="true"]',
      ) ?? []),
    ];
    const which = entries.map((entry) => entry.textContent).join();
    if (which !== shown.current) entries.forEach(scrollTabIntoView);
    shown.current = which;
  });
  return (
    <div ref={page} className={css.page} data-layout={layout}>
      <header className={css.head} data-kept={keepsHead || undefined}>
        <div className={css.titles}>
          {back && (
            <a className={css.back} href={back.href}>
              ← {back.label}
            </a>
          )}
          <div className={css.titleLine}>
            <Title order={1} className={css.title}>
              {title}
            </Title>
            {beside}
          </div>
          {about && <p className={css.about}>{about}</p>}
        </div>
        {action && <div className={css.action}>{action}</div>}
      </header>
      {filters && <div className={css.filters}>{filters}</div>}
      <div className={css.content}>{children}</div>
    </div>
  );
}

/** Scrolls a tab strip horizontally until this tab is visible, without scrolling the page. */
export function scrollTabIntoView(entry: HTMLElement): void {
  const strip = entry.parentElement;
  if (!strip || strip.scrollWidth <= strip.clientWidth) return;
  const [from, to] = [
    entry.offsetLeft - strip.offsetLeft - 24,
    entry.offsetLeft - strip.offsetLeft + entry.offsetWidth + 24,
  ];
  if (from < strip.scrollLeft) strip.scrollLeft = from;
  else if (to > strip.scrollLeft + strip.clientWidth) strip.scrollLeft = to - strip.clientWidth;
}

/** A titled block within a page. */
export function Section({
  title,
  about: description,
  action,
  children,
  plain = false,
}: {
  title?: string;
  about?: React.ReactNode;
  action?: React.ReactNode;
  children?: React.ReactNode;
  plain?: boolean;
}) {
  return (
    <section className={css.section} data-plain={plain || undefined} data-section>
      {(title || action) && (
        <div className={css.sectionHead}>
          <div>
            {title && <Title order={2}>{title}</Title>}
            {description && <p className={css.about}>{description}</p>}
          </div>
          {action}
        </div>
      )}
      {children}
    </section>
  );
}

/** Skeleton of a page while its code or data loads; the same layout, so nothing jumps. */
export function PageSkeleton() {
  return (
    <div className={css.page} data-layout="flow" aria-busy="true">
      <header className={css.head}>
        <Skeleton height={24} width={180} my={2} />
      </header>
      <div className={css.content}>
        {[0, 1, 2, 3, 4, 5].map((i) => (
          <Skeleton key={i} height={16} width={`${88 - i * 9}%`} mt={20} />
        ))}
      </div>
    </div>
  );
}
