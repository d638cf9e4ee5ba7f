(** * What is known of two data sets, and how it is carried along *)
From Coq Require Import String List ZArith QArith Qround Qreals Reals Lra Lia Bool Permutation Psatz.
From DPcore Require Import Distributions Metrics Norms Totals Sums RowStability Graphs Steps Filtered.
From DPchecker Require Import Language Ordered Named Meaning Numbers Exponentials Tables Chains Distances.
Import ListNotations.
Open Scope R_scope.
Set Implicit Arguments.
Unset Strict Implicit.

Lemma Qlt_bool_R a b : Qlt_bool a b = true -> Q2R a < Q2R b.
Proof. unfold Qlt_bool; intros H; apply negb_true_iff in H. now apply Qgt_R. Qed.

Section Facts.
Variable I : interpretation.
Notation data := (data I).

Lemma has_ok m fs d (x y : data) : has m fs = true -> known fs d x y -> apart m d x y.
Proof.
  unfold has, known. intros H K. apply existsb_exists in H. destruct H as (f & J & E). rewrite Forall_forall in K.
  specialize (K f J). destruct f; try discriminate. apply metric_eqb_eq in E; subst; exact K.
Qed.

Lemma person_ok who fs d (x y : data) : person_of fs = Some who -> known fs d x y -> apart (Person who) d x y.
Proof.
  unfold person_of, known. destruct (find _ fs) as [f|] eqn:E; [|discriminate]. apply find_some in E. destruct E as [J E].
  destruct f as [[]| | | |]; try discriminate. intros H K; injection H as ->. rewrite Forall_forall in K. exact (K _ J).
Qed.

Lemma known_app fs gs d (x y : data) : known (fs ++ gs) d x y <-> known fs d x y /\ known gs d x y.
Proof. apply Forall_app. Qed.

Lemma domain_ok fs D d (x y : data) : domain_of fs = Some D -> known fs d x y -> fact_holds (Of D) d x y.
Proof.
  unfold domain_of, known. destruct (find _ fs) as [f|] eqn:E; [|discriminate]. apply find_some in E. destruct E as [J E].
  destruct f; try discriminate. intros H; injection H as ->. rewrite Forall_forall. auto.
Qed.
Lemma of_rows_ok fs d d' a b a' b' A B : known fs d (Rows A a : data) (Rows B b) -> known (of_rows fs) d' (Rows A a' : data) (Rows B b').
Proof.
  unfold of_rows. intros K. destruct (domain_of fs) eqn:E; constructor; [exact (domain_ok E K) | constructor].
Qed.
Lemma of_parts_ok fs d d' a b ks ls p q A B : known fs d (Rows A a : data) (Rows B b) -> known (of_rows fs) d' (Parts A ks p : data) (Parts B ls q).
Proof.
  unfold of_rows. intros K. destruct (domain_of fs) eqn:E; constructor; [exact (domain_ok E K) | constructor].
Qed.
Lemma dropped_rows_ok names fs d d' a b a' b' A B : known fs d (Rows A a : data) (Rows B b) ->
  known (dropped_rows names fs) d' (Rows (without_nulls names A) a' : data) (Rows (without_nulls names B) b').
Proof.
  unfold dropped_rows. intros K. destruct (domain_of fs) eqn:E; rewrite ?nulls_dropped_is; constructor; [|constructor].
  destruct (domain_ok E K) as [-> ->]. split; reflexivity.
Qed.

(** Maps of rows keep their number. *)
Lemma sizes_map fs d d' a b a' b' A B D E : known fs d (Rows A a : data) (Rows B b) -> length a' = length a -> length b' = length b ->
  known (sizes fs) d' (Rows D a' : data) (Rows E b').
Proof.
  intros K Ha Hb. unfold known, sizes in *. rewrite Forall_forall in *. intros h J. apply filter_In in J. destruct J as [J S].
  specialize (K h J). destruct h; try discriminate. simpl in *. now rewrite Ha, Hb.
Qed.

(** What does not change the data does not change what is known of them, but for the distance. *)
Lemma known_filter p fs d d' (x y : data) : (forall m, p (Measured m) = false) -> known fs d x y -> known (filter p fs) d' x y.
Proof.
  unfold known. rewrite !Forall_forall. intros N K f J. apply filter_In in J. destruct J as [J P]. specialize (K f J).
  destruct f; try exact K. rewrite N in P. discriminate.
Qed.
Lemma sizes_same fs d d' (x y : data) : known fs d x y -> known (sizes fs) d' x y. Proof. now apply known_filter. Qed.
Lemma lengths_same fs d d' (x y : data) : known fs d x y -> known (lengths fs) d' x y. Proof. now apply known_filter. Qed.
Lemma nodes_same fs d d' (x y : data) : known fs d x y -> known (nodes fs) d' x y. Proof. now apply known_filter. Qed.

Lemma apart_rows m d (x y : data) : apart m d x y -> match m with Symmetric | ChangeOne | Person _ | Moved => True | _ => False end ->
  exists D a b, x = Rows D a /\ y = Rows D b.
Proof. destruct m; try tauto; destruct x, y; cbn [apart]; try tauto; intros [-> _]; eauto. Qed.

Lemma apart_vectors m d (x y : data) : apart m d x y -> match m with L1 | L2 | LInf | Range => True | _ => False end ->
  exists g a b, x = Vector g a /\ y = Vector g b.
Proof. destruct m; try tauto; destruct x, y; cbn [apart]; try tauto; intros [-> _]; eauto. Qed.

Lemma apart_le m d d' (x y : data) : d <= d' -> apart m d x y -> apart m d' x y.
Proof.
  intros H. destruct m as [| | | | | | | | |w| | | | |]; try destruct w; destruct x, y; cbn [apart]; try tauto;
  intros K; repeat match goal with K : _ /\ _ |- _ => destruct K as [? K] end;
  repeat match goal with |- _ /\ _ => split; [assumption|] end; eapply within_le; eassumption.
Qed.

(** Between data, however they are joined. *)
Lemma path_apart name f rows d (x y : data) : apart (PathGranularity name f rows) d x y <-> chained (granularity I name f rows) d x y.
Proof.
  split; [now destruct x, y|]. intros K. pose proof (chained_shape K) as S. destruct x, y; cbn [same_shape] in S; try contradiction; exact K.
Qed.

(** What one step changes says what a chain of them changes. *)
Lemma chained_rows name f rows k d (x y : data) : 0 <= k ->
  (forall d (x y : data), apart (Granularity name f rows) d x y -> apart Symmetric (k * d) x y) ->
  apart (PathGranularity name f rows) d x y -> apart Symmetric (k * d) x y.
Proof.
  intros Hk One K. apply path_apart in K. destruct K as (n & L & J).
  assert (Of_link : forall e (u v : data), link (granularity I name f rows) e u v -> apart Symmetric (k * e) u v).
  { intros e u v (S & _ & _ & H). apply One. destruct u, v; cbn [same_shape] in S; try contradiction; exact H. }
  apply apart_le with (k * INR n); [apply Rmult_le_compat_l; assumption|]. clear d L.
  assert (Add : forall d e (x y z : data), apart Symmetric d x y -> apart Symmetric e y z -> apart Symmetric (d + e) x z).
  { intros d e u v w A B. destruct u, v; try contradiction; destruct w; try contradiction. destruct A as [-> A], B as [-> B].
    split; [reflexivity | exact (symmetric_trans A B)]. }
  induction J as [x H|n x y z _ IH H|n x y z _ IH H].
  - exact (Of_link _ _ _ H).
  - replace (k * INR n) with (k * INR n + k * 0) by lra. exact (Add _ _ _ _ _ IH (Of_link _ _ _ H)).
  - rewrite S_INR. replace (k * (INR n + 1)) with (k * INR n + k * 1) by lra. exact (Add _ _ _ _ _ IH (Of_link _ _ _ H)).
Qed.

Lemma known_le fs d d' (x y : data) : d <= d' -> known fs d x y -> known fs d' x y.
Proof.
  intros H. unfold known; rewrite !Forall_forall. intros K f J. specialize (K f J). destruct f; simpl in *; auto. eapply apart_le; eauto.
Qed.

Lemma apart_nonneg m d (x y : data) : apart m d x y -> 0 <= d.
Proof.
  destruct m as [| | | | | | | | |w| | | | |]; try destruct w; destruct x, y; cbn [apart]; try tauto;
  intros K; repeat match goal with K : _ /\ _ |- _ => destruct K as [? K] end; eapply within_nonneg; eassumption.
Qed.

Lemma apart_sym m d (x y : data) : apart m d x y -> apart m d y x.
Proof.
  destruct m as [| | | | | | | | |w| | | | |]; try destruct w; destruct x, y; cbn [apart]; try tauto;
  intros K; repeat match goal with K : _ /\ _ |- _ => destruct K as [? K] end; subst;
  repeat match goal with |- _ /\ _ => split; [reflexivity || assumption|] end; now apply within_sym.
Qed.

Lemma known_sym fs d (x y : data) : known fs d x y -> known fs d y x.
Proof.
  unfold known; rewrite !Forall_forall. intros K f J. specialize (K f J). destruct f; simpl in *; [now apply apart_sym | ..];
  destruct x, y; try tauto; destruct K; split; congruence.
Qed.

Lemma is_long_ok n fs d g h (a b : list Z) : existsb (is_long_of n) fs = true -> known fs d (Vector g a : data) (Vector h b) ->
  length a = Pos.to_nat n /\ length b = Pos.to_nat n.
Proof.
  intros H K. apply existsb_exists in H. destruct H as (f & J & E). destruct f; try discriminate. apply Pos.eqb_eq in E. subst.
  unfold known in K. rewrite Forall_forall in K. exact (K _ J).
Qed.

Lemma is_nodes_ok n fs d a b g h : existsb (is_nodes_of n) fs = true -> known fs d (Graph a g : data) (Graph b h) -> a = n /\ b = n.
Proof.
  intros H K. apply existsb_exists in H. destruct H as (f & J & E). destruct f; try discriminate. apply Pos.eqb_eq in E. subst.
  unfold known in K. rewrite Forall_forall in K. exact (K _ J).
Qed.

Lemma facts_of_ok D d (x y : data) : lies_in D x -> lies_in D y -> known (facts_of D) d x y.
Proof.
  destruct D as [| | | | | | |e n nm b|e n|e ks|n|]; cbn [lies_in facts_of]; try constructor.
  - destruct H as (g & v & -> & L & _), H0 as (h & w & -> & M & _). split; assumption.
  - constructor.
  - destruct H as (a & -> & _), H0 as (b & -> & _). split; reflexivity.
  - destruct H as (a & -> & L), H0 as (b & -> & M). destruct n; constructor; [split; assumption | constructor].
  - destruct H as (p & ->), H0 as (q & ->). split; reflexivity.
  - constructor.
  - destruct H as (g & ->), H0 as (h & ->). split; reflexivity.
  - constructor.
Qed.

(** How many rows leave and enter, after a function of rows under which no more do. *)
Lemma still_moved_ok fs d a b a' b' A B E : known fs d (Rows A a : data) (Rows B b) -> (halves d a b -> halves d a' b') ->
  known (still_moved fs) d (Rows E a' : data) (Rows E b').
Proof.
  intros K H. unfold still_moved. destruct (has Moved fs) eqn:M; constructor; [|constructor]. split; [reflexivity|].
  apply H. exact (proj2 (has_ok M K)).
Qed.

(** ** The maps *)
Definition nonneg_map (f : dmap) : Prop :=
  match f with Times k | Square k | Root k => 0 <= Q2R k | Halved => True | Table t => Forall (fun p => 0 <= Q2R (snd p)) t end.

Lemma at_r_table_nonneg t d : Forall (fun p => 0 <= Q2R (snd p)) t -> 0 <= at_r (Table t) d.
Proof.
  intros N. cbn [at_r]. destruct (Rle_dec d 0); [lra|]. destruct (lowest t d) as [v|] eqn:E; [|lra].
  destruct (lowest_in _ _ E) as (far & e & J & _ & ->). rewrite Forall_forall in N. exact (N _ J).
Qed.

Lemma some_inj A (a b : A) : Some a = Some b -> a = b. Proof. congruence. Qed. (* without computing *)
Lemma at_q_ok f d e : nonneg_map f -> at_q f d = Some e -> reaches f (Q2R d) /\ at_r f (Q2R d) <= Q2R e.
Proof.
  unfold at_q. intros N. destruct f as [k|k|k| |t];
  try (clear N; intros H; apply some_inj in H; subst e; rewrite Q2R_red; split; [exact Logic.I|]; cbn [at_r]).
  - rewrite Q2R_mult; lra.
  - rewrite !Q2R_mult; lra.
  - rewrite <- Q2R_mult. apply root_above_ok.
  - rewrite Q2R_Z. apply IZR_le, Z.eq_le_incl, floor_unique. pose proof (floor_R (d / 2)) as H.
    rewrite Q2R_div in H by (intros K; discriminate). replace (Q2R 2) with 2 in H by (unfold Q2R; simpl; lra). lra.
  - intros H. pose proof (lowest_q t d) as L. rewrite H in L. cbn [option_map] in L. split; [right; rewrite L; discriminate|].
    cbn [at_r]. rewrite L. destruct (Rle_dec (Q2R d) 0); [|lra].
    destruct (lowest_in _ _ L) as (far & u & J & _ & ->). cbn [nonneg_map] in N. rewrite Forall_forall in N. exact (N _ J).
Qed.

Lemma IZR_floor_mono a b : a <= b -> (Int_part a <= Int_part b)%Z.
Proof. intros H. destruct (base_Int_part a), (base_Int_part b). apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR; lra. Qed.

Lemma at_r_le f a b : nonneg_map f -> 0 <= a <= b -> reaches f b -> at_r f a <= at_r f b.
Proof.
  intros N [A B] V; destruct f; simpl in *.
  - now apply Rmult_le_compat_l.
  - apply Rmult_le_compat_l; [exact N|]. nra.
  - apply sqrt_le_1_alt. now apply Rmult_le_compat_l.
  - apply IZR_le, IZR_floor_mono; lra.
  - destruct (Rle_dec a 0) as [A0|A0]; [exact (at_r_table_nonneg b N)|]. destruct (Rle_dec b 0) as [B0|B0]; [lra|].
    destruct V as [V|V]; [contradiction|]. destruct (lowest t b) as [v|] eqn:E; [|contradiction].
    destruct (lowest_le _ B E) as (u & -> & U). exact U.
Qed.

Lemma reaches_le f a b : a <= b -> reaches f b -> reaches f a.
Proof.
  destruct f; cbn [reaches]; auto. intros H [V|V]; [left; lra|]. destruct (lowest t b) as [v|] eqn:E; [|contradiction].
  destruct (lowest_le _ H E) as (u & -> & _). right; discriminate.
Qed.
Lemma reaches_0 f : reaches f 0.
Proof. destruct f; cbn [reaches]; auto. left; lra. Qed.

Lemma at_r_0 f : at_r f 0 = 0.
Proof.
  destruct f; simpl; rewrite ?Rmult_0_r, ?sqrt_0; try reflexivity.
  - replace (Int_part (0 / 2)) with 0%Z; [reflexivity|]. symmetry; apply floor_unique; lra.
  - destruct (Rle_dec 0 0); [reflexivity | lra].
Qed.

Definition good r fs fs' f := nonneg_map f /\
  forall d x y, 0 <= d -> reaches f d -> known fs d x y -> known_or_nothing fs' (at_r f d) (step_rule r x : data) (step_rule r y).

Lemma Times_1 d : at_r (Times 1) d = d.
Proof. simpl; rewrite Q2R_1; ring. Qed.
Lemma Times_2 d : at_r (Times (inject_Z 2)) d = 2 * d.
Proof. simpl; rewrite Q2R_Z; ring. Qed.
Lemma nonneg_1 : nonneg_map (Times 1). Proof. simpl; rewrite Q2R_1; lra. Qed.
Lemma nonneg_2 : nonneg_map (Times (inject_Z 2)). Proof. simpl; rewrite Q2R_Z; lra. Qed.

Lemma pos_nonneg p : nonneg_map (Times (Zpos p # 1)).
Proof. cbn [nonneg_map]. rewrite Q2R_pos. apply IZR_le; lia. Qed.
Lemma times_pos p d : at_r (Times (Zpos p # 1)) d = INR (Pos.to_nat p) * d.
Proof. cbn [at_r]. rewrite Q2R_pos, INR_IZR_INZ, positive_nat_Z. reflexivity. Qed.

Lemma pos_INR_ p : Q2R (Zpos p # 1) = INR (Pos.to_nat p).
Proof. rewrite Q2R_pos, INR_IZR_INZ, positive_nat_Z. reflexivity. Qed.
End Facts.
