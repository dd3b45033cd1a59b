import { timed } from "./activation";
import { course } from "./course/plugin";
import { language } from "./language/plugin";
import { launcher } from "./launcher/plugin";
import { lens } from "./lens/plugin";

export default [timed(language), timed(course), timed(lens), timed(launcher)];
