import { addStyles } from "../ui/addStyles";
import styles from "./panel.css?inline";

addStyles(styles);
