import { LabIcon } from "@jupyterlab/ui-components";

/** The loupe: a ring over a grid point, as drawn on the panel's tab and on the launcher card. */
export const loupeIcon = new LabIcon({
  name: "torchloupe:loupe",
  svgstr: `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" fill="none"
  stroke-linecap="round" stroke-linejoin="round" stroke-width="1.4">
  <g class="jp-icon3 jp-icon-selectable" stroke="#616161">
    <circle class="jp-icon3 jp-icon-selectable" stroke="#616161" cx="6.9" cy="6.9" r="4.6"/>
    <path class="jp-icon3 jp-icon-selectable" stroke="#616161" d="M10.3 10.3 14 14M6.9 5.1v3.6M5.1 6.9h3.6"/>
  </g>
</svg>`,
});
