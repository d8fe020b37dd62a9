/** Links to the sections of a long page. */
import { Box, NavLink } from '@mantine/core';
import { useScrollSpy } from '@mantine/hooks';
import classes from './contents.module.css';

/** Where a heading is that was followed, in px from the top of the window: below the header of all pages. */
const HEADING_TOP = 100;

/** Beside the page, on screens with room for it. Names the headings that the page has when it is first shown. */
export function Contents({ label }: { label: string }) {
  const { data, active } = useScrollSpy({ selector: 'main h2[id]', offset: HEADING_TOP });
  return (
    <Box component="nav" aria-label={label} visibleFrom="lg" className={classes.contents}>
      {data.map(({ id, value }, index) => (
        <NavLink
          key={id}
          href={`#${id}`}
          className={classes.entry}
          label={value}
          active={index === active}
          aria-current={index === active ? 'true' : undefined}
        />
      ))}
    </Box>
  );
}
