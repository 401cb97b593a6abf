import { show } from "@/lib/ui/show";
import { Popup } from "./popup";
import "@/lib/ui/popup.css";

show(<Popup />);
