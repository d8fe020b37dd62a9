/** The view that shows all accounts of the picture beside its tools. */
import { useMediaQuery } from '@mantine/hooks';
import { type FitViewOptions, useReactFlow } from '@xyflow/react';
import { useEffect } from 'react';

/** Above this number of accounts, a minimap is shown. */
const MAP_FROM = 15;
const NARROW = '(max-width: 75em)';

/** Shows all accounts when the filter or the kind of frame changes. Otherwise, the view that the user chose stays. */
export function useFit(accounts: number, isFiltered: boolean): { fit: FitViewOptions; hasMap: boolean } {
  const flow = useReactFlow();
  const isNarrow = useMediaQuery(NARROW) ?? false;
  const hasMap = accounts > MAP_FROM;
  const fit = fitOf(hasMap, isNarrow);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => void flow.fitView(fit), [isFiltered, isNarrow]);
  return { fit, hasMap };
}

/** Leaves room for the toolbar, and for the minimap: beside the accounts, or below them in a narrow frame. */
function fitOf(hasMap: boolean, isNarrow: boolean): FitViewOptions {
  const right = hasMap && !isNarrow ? '190px' : '24px';
  const bottom = hasMap && isNarrow ? '132px' : '24px';
  return { padding: { top: '72px', right, bottom, left: '24px' }, maxZoom: 1 };
}
